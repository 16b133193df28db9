import clsx from 'clsx'
import { SearchX } from 'lucide-react'
import { Fragment, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { EffectMark, ServerStateWord } from '@/features/vocabulary'
import { EmptyState, Icon, Kbd } from '@/ui'
import type { Entry } from './entries'
import { marks } from './find'

export interface PaletteListProps {
  id: string
  rows: readonly Entry[]
  current: number
  typed: string
  onTake: (entry: Entry) => void
  onPoint: (at: number) => void
}

/** The rows by group; the current one is chosen with Enter. */
export function PaletteList({ id, rows, current, typed, onTake, onPoint }: PaletteListProps) {
  const { t } = useTranslation()
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [current, rows])
  if (rows.length === 0) {
    return (
      <div className="px-2 pt-1 pb-2">
        <EmptyState mark={<Icon of={SearchX} size={24} />} title={t('palette.none')} />
      </div>
    )
  }
  return (
    <div
      ref={list}
      id={id}
      role="listbox"
      aria-label={t('shell.search')}
      className="min-h-0 flex-1 overflow-y-auto px-2 pt-1 pb-2"
    >
      {rows.map((entry, n) => (
        <Fragment key={`${entry.group}:${entry.key}`}>
          {rows[n - 1]?.group !== entry.group && (
            <div role="presentation" className="px-2.5 pt-[9px] pb-[3px] text-[11.5px] leading-4 text-ink-3">
              {t(`palette.groups.${entry.group}`)}
            </div>
          )}
          <Row
            id={`${id}-${n}`}
            entry={entry}
            current={n === current}
            typed={typed}
            onTake={() => onTake(entry)}
            onPoint={() => onPoint(n)}
          />
        </Fragment>
      ))}
    </div>
  )
}

interface RowProps {
  id: string
  entry: Entry
  current: boolean
  typed: string
  onTake: () => void
  onPoint: () => void
}

function Row({ id, entry, current, typed, onTake, onPoint }: RowProps) {
  return (
    // eslint-disable-next-line jsx-a11y/click-events-have-key-events -- keys go to the input, as in every combobox
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={current}
      onClick={onTake}
      onMouseMove={current ? undefined : onPoint}
      onMouseDown={(event) => event.preventDefault()}
      className={clsx('flex h-[34px] items-center gap-2.5 rounded-[7px] px-2.5', current && 'bg-selected')}
    >
      <Icon of={entry.icon} className={current ? 'text-ink-2' : 'text-ink-3'} />
      <span
        className={clsx(
          'flex-none whitespace-nowrap',
          entry.code && 'font-code text-small [font-feature-settings:normal]',
        )}
      >
        {marks(entry.label, typed).map(({ text, hit }, n) =>
          hit ? (
            <span key={n} className="font-semibold text-accent-text">
              {text}
            </span>
          ) : (
            text
          ),
        )}
      </span>
      <span className={clsx('min-w-0 flex-1 truncate pl-0.5 text-small', current ? 'text-ink-2' : 'text-ink-3')}>
        {entry.note}
      </span>
      {entry.state && <ServerStateWord state={entry.state} />}
      {entry.effect && <EffectMark effect={entry.effect} />}
      {current && <Kbd>⏎</Kbd>}
    </div>
  )
}
