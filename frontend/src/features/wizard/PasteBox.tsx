import { ClipboardPaste } from 'lucide-react'
import { useEffect, useRef, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import type { Definition } from '@/lib/api'
import { Card, Icon } from '@/ui'
import { highlight, type InkKind } from './highlight'
import { PasteResult } from './PasteResult'
import { useParsed } from './queries'

export interface PasteBoxProps {
  text: string
  onText: (text: string) => void
  /** Which of several servers is meant. */
  choice: number
  onChoose: (choice: number) => void
  /** Called with what was recognised, once for each text or choice. */
  onTake: (definition: Definition) => void
}

const inks: Record<InkKind, string> = {
  plain: 'text-ink',
  key: 'text-code-key',
  string: 'text-code-string',
  secret: 'rounded-[3px] bg-surface text-ink-2 shadow-[0_0_0_1px_var(--line)]',
}

/** Anything that describes a server, read as it is typed. Secrets turn to dots at once, in the box too. */
export function PasteBox({ text, onText, choice, onChoose, onTake }: PasteBoxProps) {
  const { t } = useTranslation()
  const box = useRef<HTMLTextAreaElement>(null)
  const parsed = useParsed(text)
  const secrets = secretsOf(text.trim() === '' ? [] : (parsed.data?.definitions ?? []))
  usePasteAnywhere(box, onText)
  const shared =
    'col-start-1 row-start-1 w-full px-2.5 py-2 font-code text-[12px] leading-[18px] whitespace-pre-wrap [overflow-wrap:anywhere] [font-feature-settings:normal]'
  return (
    <Card className="px-3.5 py-3">
      <div className="mb-2 flex items-center gap-2">
        <Icon of={ClipboardPaste} className="text-ink-3" />
        <label htmlFor="wizard-paste" className="font-semibold whitespace-nowrap">
          {t('wizard.paste.title')}
        </label>
        <span className="min-w-0 flex-1 truncate text-small text-ink-3" title={t('wizard.paste.what')}>
          {t('wizard.paste.what')}
        </span>
      </div>
      <div className="grid max-h-[236px] overflow-y-auto rounded-control border border-line-control bg-sunken has-[:focus-visible]:shadow-[var(--focus-ring)]">
        <div aria-hidden className={`${shared} pointer-events-none min-h-[70px]`}>
          {highlight(text, secrets).map(({ kind, text: part }, n) => (
            <span key={n} className={inks[kind]}>
              {part}
            </span>
          ))}
          {'\u200b'}
        </div>
        <textarea
          id="wizard-paste"
          ref={box}
          value={text}
          onChange={(event) => onText(event.target.value)}
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="off"
          rows={3}
          aria-describedby="wizard-paste-result"
          className={`${shared} h-full resize-none overflow-hidden bg-transparent text-transparent caret-ink [forced-color-adjust:none] shadow-none! outline-none! selection:bg-accent/25`}
        />
      </div>
      <PasteResult
        text={text}
        parsed={parsed}
        choice={choice}
        onChoose={onChoose}
        onTake={onTake}
        onClear={() => onText('')}
      />
    </Card>
  )
}

const secretsOf = (definitions: readonly Definition[]) =>
  definitions
    .flatMap(({ env = [], headers = [] }) => [...env, ...headers])
    .filter(({ secret }) => secret)
    .map(({ value }) => value.replace(/^Bearer\s+/i, ''))

/** A paste anywhere on the page that is not into a field goes into the box. */
function usePasteAnywhere(box: RefObject<HTMLTextAreaElement | null>, onText: (text: string) => void) {
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      const inField = event.target instanceof Element && event.target.closest('input, textarea, [contenteditable]')
      const text = event.clipboardData?.getData('text/plain')
      if (inField || !text) return
      event.preventDefault()
      box.current?.focus()
      onText(text)
    }
    document.addEventListener('paste', paste)
    return () => document.removeEventListener('paste', paste)
  }, [box, onText])
}
