import { Copy, History, Play } from 'lucide-react'
import { useMemo, useRef, type KeyboardEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { issuesOf, SchemaForm } from '@/features/form'
import { useCopy } from '@/features/vocabulary'
import { formatWhen } from '@/lib/format'
import { useLang } from '@/lib/i18n'
import { writeJson, type JsonObject } from '@/lib/json'
import { Button, IconButton, Menu, TextArea } from '@/ui'
import type { Made } from './queries'
import { brokenAt, recalled, withText, type Draft } from './draft'

export interface CallFormProps {
  /** The accessible name. */
  name: string
  /** What stands above the arguments: what is called, in words. */
  intro: ReactNode
  /** The word on the button. */
  verb: string
  /** What is said when nothing can be filled in, where it is not about arguments. */
  empty?: string
  draft: Draft
  onDraft: (draft: Draft) => void
  /** Earlier calls of the same, the latest first. */
  made: readonly Made[]
  calling: boolean
  onCall: (args: JsonObject) => void
}

/** What is called, its arguments in fields or as JSON, and the button that calls it. */
export function CallForm({ name, intro, verb, empty, draft, onDraft, made, calling, onCall }: CallFormProps) {
  const { t } = useTranslation()
  const copy = useCopy()
  const pane = useRef<HTMLElement>(null)
  const broken = brokenAt(draft)
  const inFields = draft.text === undefined
  const issues = useMemo(() => issuesOf(draft.form, draft.value), [draft.form, draft.value])
  const wrong = inFields && draft.tried ? issues.length : broken ? 1 : 0
  const call = () => {
    // In JSON mode the core alone decides what fits: the form may know less than the schema says.
    if (broken || (inFields && issues.length > 0)) {
      onDraft({ ...draft, tried: true })
      requestAnimationFrame(() => pane.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
    } else if (!calling) onCall(draft.value)
  }
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    call()
  }
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys repeat what the button does
    <section
      ref={pane}
      data-pane
      aria-label={name}
      onKeyDown={press}
      className="flex min-h-0 flex-1 flex-col bg-surface"
    >
      <div className="min-h-0 flex-1 overflow-y-auto px-4 py-3.5">
        {intro}
        {draft.text === undefined ? (
          <SchemaForm
            form={draft.form}
            value={draft.value}
            tried={draft.tried}
            {...(empty === undefined ? {} : { empty })}
            onChange={(value) => onDraft({ ...draft, value: value as JsonObject })}
          />
        ) : (
          <JsonEditor draft={draft} text={draft.text} onDraft={onDraft} />
        )}
      </div>
      <p role="status" className="px-4 text-caption text-danger-text [&:not(:empty)]:pb-1.5">
        {wrong > 0 && t('server.form.toCorrect', { count: wrong })}
      </p>
      <div className="flex items-center gap-1 border-t border-line-subtle py-2.5 pr-3 pl-4">
        <Button look="primary" icon={Play} keys="Ctrl ⏎" inactive={calling} onClick={call}>
          {verb}
        </Button>
        <span className="flex-1" />
        <HistoryMenu made={made} onRecall={(args) => onDraft(recalled(draft, args))} />
        <IconButton icon={Copy} label={t('server.form.copy')} onClick={() => copy(writeJson(draft.value, 2))} />
      </div>
    </section>
  )
}

/** The JSON mode: any text, and where it stops being an object. */
function JsonEditor({ draft, text, onDraft }: { draft: Draft; text: string; onDraft: (draft: Draft) => void }) {
  const { t } = useTranslation()
  const broken = brokenAt(draft)
  return (
    <>
      <TextArea
        code
        rows={14}
        aria-label={t('server.form.jsonLabel')}
        aria-invalid={broken !== undefined}
        value={text}
        onChange={(event) => onDraft(withText(draft, event.target.value))}
      />
      {broken && (
        <div className="mt-1 text-caption text-danger-text">
          {t('server.form.notObject', { line: broken.line, column: broken.column })}
        </div>
      )}
    </>
  )
}

function HistoryMenu({ made, onRecall }: { made: readonly Made[]; onRecall: (args: JsonObject) => void }) {
  const { t } = useTranslation()
  const lang = useLang()
  const button = (
    <IconButton
      icon={History}
      label={t('server.form.history')}
      {...(made.length === 0 ? { inactive: true, reason: t('server.form.noHistory') } : {})}
    />
  )
  if (made.length === 0) return button
  return (
    <Menu
      trigger={button}
      items={made.map((call) => ({
        label: <span className="mono block max-w-[320px] truncate">{writeJson(call.arguments)}</span>,
        keys: formatWhen(call.at, lang),
        onSelect: () => onRecall(call.arguments),
      }))}
    />
  )
}
