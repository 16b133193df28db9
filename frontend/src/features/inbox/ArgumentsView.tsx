import clsx from 'clsx'
import { Pencil, RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { InboxRequest } from '@/lib/api'
import { jsonErrorAt, writeJson, type Json } from '@/lib/json'
import { Button, Card, JsonCode, Note, Segmented, TextArea } from '@/ui'
import { LongText } from './LongText'
import { closed, draftOf, opened, typed, type Draft } from './draft'
import { changedKeys, isEditable } from './params'

export interface ArgumentsViewProps {
  request: InboxRequest
  draft: Draft
  onDraft: (draft: Draft) => void
}

type View = 'table' | 'json'

/** The exact arguments, as a table or as JSON, and the way to change them before approving. */
export function ArgumentsView({ request, draft, onDraft }: ArgumentsViewProps) {
  const { t } = useTranslation()
  const [view, setView] = useState<View>('table')
  const waits = request.status === 'waiting'
  const editing = draft.text !== undefined
  const changed = changedKeys(draft.original, draft.value)
  return (
    <section aria-label={t(waits ? 'inbox.sent' : 'inbox.wasSent')}>
      <div className="mt-4 mb-1.5 flex min-h-7 flex-wrap items-center gap-2">
        <h3 className="font-semibold">{t(waits ? 'inbox.sent' : 'inbox.wasSent')}</h3>
        <span className="min-w-0 truncate font-code text-small text-ink-3">{request.tool}</span>
        <span className="flex-1" />
        {!editing && <ViewSwitch view={view} onView={setView} />}
        {changed.length > 0 && (
          <Button small look="ghost" icon={RotateCcw} onClick={() => onDraft(draftOf(draft.original))}>
            {t('inbox.editReset')}
          </Button>
        )}
        {waits && isEditable(request) && (
          <Button
            small
            look="ghost"
            icon={Pencil}
            inactive={editing && !draft.valid}
            onClick={() => onDraft(editing ? closed(draft) : opened(draft))}
          >
            {t(editing ? 'inbox.editDone' : 'inbox.edit')}
          </Button>
        )}
      </div>
      <Content request={request} draft={draft} view={view} onDraft={onDraft} changed={changed} />
      {changed.length > 0 && (
        <Note className="mt-2" role="status">
          {t('inbox.edited', { count: changed.length })}
        </Note>
      )}
    </section>
  )
}

function ViewSwitch({ view, onView }: { view: View; onView: (view: View) => void }) {
  const { t } = useTranslation()
  return (
    <Segmented
      small
      label={t('inbox.view')}
      value={view}
      onChange={onView}
      segments={[
        { value: 'table', label: t('inbox.table') },
        { value: 'json', label: t('inbox.json') },
      ]}
    />
  )
}

function Content({
  request,
  draft,
  view,
  onDraft,
  changed,
}: ArgumentsViewProps & { view: View; changed: readonly string[] }) {
  const { t } = useTranslation()
  if (draft.text !== undefined) return <Editor draft={draft} text={draft.text} onDraft={onDraft} />
  if (request.call_kind === 'resource') return <Table rows={[[t('inbox.address'), request.tool]]} changed={[]} />
  if (Object.keys(draft.value).length === 0) return <p className="text-small text-ink-3">{t('inbox.noArguments')}</p>
  if (view === 'json') return <JsonCode className="max-h-96" label={t('inbox.sent')} text={writeJson(draft.value, 2)} />
  return <Table rows={Object.entries(draft.value)} changed={changed} />
}

function Editor({ draft, text, onDraft }: { draft: Draft; text: string; onDraft: (draft: Draft) => void }) {
  const { t } = useTranslation()
  const error = draft.valid
    ? ''
    : place(text, jsonErrorAt(text) ?? 0, (line, column) => t('inbox.notObject', { line, column }))
  return (
    <>
      <TextArea
        code
        rows={Math.min(Math.max(text.split('\n').length + 1, 5), 18)}
        aria-label={t('inbox.editLabel')}
        aria-invalid={!draft.valid}
        aria-describedby="inbox-edit-error"
        value={text}
        onChange={(event) => onDraft(typed(draft, event.target.value))}
      />
      <div id="inbox-edit-error" className="mt-1 min-h-4 text-caption text-danger-text">
        {error}
      </div>
    </>
  )
}

function place(text: string, at: number, say: (line: number, column: number) => string): string {
  const lines = text.slice(0, at).split('\n')
  return say(lines.length, (lines.at(-1)?.length ?? 0) + 1)
}

function Table({ rows, changed }: { rows: readonly (readonly [string, Json])[]; changed: readonly string[] }) {
  return (
    <Card className="overflow-hidden shadow-none!">
      <table className="w-full border-collapse text-small leading-5">
        <tbody className="[&>tr+tr>*]:border-t [&>tr+tr>*]:border-line-subtle">
          {rows.map(([name, value]) => (
            <tr key={name}>
              <th scope="row" className="w-[120px] px-3 py-1.5 text-left align-top font-normal break-words text-ink-3">
                {name}
              </th>
              <td className="px-3 py-1.5 font-code text-[11.6px] [font-feature-settings:normal]">
                <Value name={name} value={value} marked={changed.includes(name)} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  )
}

function Value({ name, value, marked }: { name: string; value: Json; marked: boolean }) {
  const text = typeof value === 'string' ? value : writeJson(value, 2)
  const shown = text === '' ? '""' : text
  return (
    <LongText
      label={name}
      text={shown}
      className={clsx(
        'w-fit max-w-full rounded-badge',
        marked && 'bg-attn-soft px-[5px] py-px font-medium text-attn-text',
      )}
    />
  )
}
