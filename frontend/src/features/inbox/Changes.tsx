import clsx from 'clsx'
import type { TFunction } from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ChangedLine, ChangedPart, DefinitionChange } from '@/lib/api'
import { Switch } from '@/ui'

/** What changed, part by part and line by line, with words marked and what is not seen as chips. */
export function Changes({ change }: { change: DefinitionChange }) {
  const { t } = useTranslation()
  const [hidden, setHidden] = useState(true)
  const hides = change.changes.some(({ lines }) => lines.some(({ pieces }) => pieces.some((piece) => piece.hidden)))
  return (
    <>
      {change.changes.map((part, at) => (
        <section key={part.field} aria-labelledby={`changed-${part.field}`} className="mt-3.5">
          <div className="mb-1.5 flex flex-wrap items-center gap-x-2.5">
            <h3 id={`changed-${part.field}`} className="font-semibold">
              {t(`inbox.definition.parts.${part.field}`)}
            </h3>
            <span className="text-small text-ink-2">{countsOf(part, t)}</span>
            <span className="flex-1" />
            {at === 0 && hides && (
              <span className="flex items-center gap-2 text-small text-ink-2">
                <span aria-hidden>{t('inbox.definition.hidden')}</span>
                <Switch on={hidden} onChange={setHidden} label={t('inbox.definition.hidden')} />
              </span>
            )}
          </div>
          <Lines part={part} hidden={hidden} />
        </section>
      ))}
      {change.changes.length === 0 && <p className="mt-3 text-ink-2">{t('inbox.definition.same')}</p>}
      {change.cut && <p className="mt-2 text-small text-ink-2">{t('inbox.definition.cut')}</p>}
    </>
  )
}

function countsOf({ removed, added }: ChangedPart, t: TFunction): string {
  const counts = []
  if (removed > 0) counts.push(t('inbox.definition.removed', { count: removed }))
  if (added > 0) counts.push(t('inbox.definition.added', { count: added }))
  return counts.join(', ')
}

const looks: Record<ChangedLine['kind'], { sign: string; ground: string; mark: string }> = {
  same: { sign: '', ground: '', mark: '' },
  skipped: { sign: '', ground: 'bg-sunken', mark: '' },
  added: { sign: '+', ground: 'bg-diff-add', mark: 'bg-diff-add-strong' },
  removed: { sign: '−', ground: 'bg-diff-del', mark: 'bg-diff-del-strong' },
}

function Lines({ part, hidden }: { part: ChangedPart; hidden: boolean }) {
  const { t } = useTranslation()
  return (
    <ul className="mono overflow-hidden rounded-lg border border-line bg-surface text-[12px] leading-[20px]">
      {part.lines.map((line, at) => (
        <li key={at} className={clsx('flex py-0.5 pr-3', looks[line.kind].ground)}>
          <span aria-hidden className="w-7 flex-none text-center text-ink-2 select-none">
            {looks[line.kind].sign}
          </span>
          <span className="sr-only">{t(`inbox.definition.lines.${line.kind}`)} </span>
          <span className="min-w-0 flex-1 break-words whitespace-pre-wrap">
            {line.kind === 'skipped' ? (
              <i className="text-ink-2">{t('inbox.definition.skipped', { count: line.count ?? 0 })}</i>
            ) : (
              <Pieces line={line} hidden={hidden} />
            )}
          </span>
        </li>
      ))}
      {part.cut && <li className="px-7 py-0.5 text-ink-2">{t('inbox.definition.goesOn')}</li>}
    </ul>
  )
}

/** The words of a line. The server wrote them: plain text. */
function Pieces({ line, hidden }: { line: ChangedLine; hidden: boolean }) {
  return line.pieces.map(({ text, marked, hidden: unseen }, at) =>
    unseen ? (
      hidden && (
        <span key={at} className="mx-0.5 rounded-[3px] bg-attn px-1 text-[11px] text-on-attn">
          {text}
        </span>
      )
    ) : (
      <span key={at} className={clsx(marked && 'rounded-[2px]', marked && looks[line.kind].mark)}>
        {text}
      </span>
    ),
  )
}
