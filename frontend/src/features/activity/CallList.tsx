import { useRef, useState, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { moveFocus } from '@/lib/roving'
import { Button } from '@/ui'
import { byHour, type JournalCall } from './calls'
import { CallRow } from './CallRow'
import { DeedRow } from './DeedRow'
import { isCall, type Row } from './deeds'

export interface CallListProps {
  rows: readonly Row[]
  /** The id of the call that is open. */
  open: string | undefined
  onOpen: (id: string) => void
  isWaiting: (call: JournalCall) => boolean
  narrow: boolean
  now: Date
  /** The way to read earlier calls of the day; undefined when all are there. */
  older: { loading: boolean; load: () => void } | undefined
}

const TOP = 24

/** Calls and deeds by the hour on one wire. New ones slide in only at the top of the list; elsewhere they are counted. */
export function CallList({ rows, open, onOpen, isWaiting, narrow, now, older }: CallListProps) {
  const { t } = useTranslation()
  const list = useRef<HTMLDivElement>(null)
  const [held, setHeld] = useState<number>()
  const shown = held === undefined ? rows : rows.filter((row) => row.entry.seq <= held || row.id === open)
  const fresh = rows.length - shown.length
  const stop = shown.some((row) => row.id === open) ? open : shown.find(isCall)?.id
  const scroll = () => {
    const away = (list.current?.scrollTop ?? 0) > TOP
    if (away !== (held !== undefined)) setHeld(away ? Math.max(0, ...rows.map((row) => row.entry.seq)) : undefined)
  }
  const press = (event: KeyboardEvent<HTMLElement>) => {
    const id = moveFocus(event, '[data-call]')?.dataset.call
    if (id !== undefined && open !== undefined) onOpen(id)
  }
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      {fresh > 0 && <Fresh count={fresh} onShow={() => list.current?.scrollTo({ top: 0 })} />}
      <div
        ref={list}
        role="presentation"
        onScroll={scroll}
        onKeyDown={press}
        className="min-h-0 flex-1 overflow-y-auto px-[calc(var(--px)-10px)] pb-4"
      >
        {byHour(shown).map(({ hour, rows: some }) => (
          <section key={hour}>
            <h2 className="px-2.5 pt-2 pb-0.5 text-[12px] leading-5 font-medium text-ink-3">
              {t('activity.hour', { hour })}
            </h2>
            <ol>
              {some.map((row) =>
                isCall(row) ? (
                  <CallRow
                    key={row.id}
                    call={row}
                    open={row.id === open}
                    tabIndex={row.id === stop ? 0 : -1}
                    waits={isWaiting(row)}
                    narrow={narrow}
                    now={now}
                    onOpen={onOpen}
                  />
                ) : (
                  <DeedRow key={row.id} deed={row} narrow={narrow} />
                ),
              )}
            </ol>
          </section>
        ))}
        {older && (
          <div className="flex justify-center py-3">
            <Button small look="ghost" inactive={older.loading} onClick={older.load}>
              {t('activity.older')}
            </Button>
          </div>
        )}
      </div>
    </div>
  )
}

/** New calls that wait above, since the list is being read further down. */
function Fresh({ count, onShow }: { count: number; onShow: () => void }) {
  const { t } = useTranslation()
  return (
    <div className="absolute inset-x-0 top-1 z-20 flex justify-center">
      <Button small className="rounded-[14px]! shadow-menu!" onClick={onShow}>
        {t('activity.fresh', { count })}
      </Button>
    </div>
  )
}
