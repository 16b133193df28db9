import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useServerName } from '@/features/connexions'
import { listActivity, type Caller } from '@/lib/api'
import { formatTime } from '@/lib/format'
import { useLang } from '@/lib/i18n'
import { Socket, VerticalWire, WireStop } from '@/ui'
import { callsOf } from './calls'
import { outcomeLooks } from './outcomes'
import { useOutcomeWord } from './useCallWords'

const SHOWN = 5

export interface RecentCallsProps {
  caller: Caller
  /** What waits for a person, and since when. */
  waiting: { name: string; at: string } | undefined
}

/** The last calls of a caller, oldest first, and what waits, on one wire. */
export function RecentCalls({ caller, waiting }: RecentCallsProps) {
  const { t } = useTranslation()
  const lang = useLang()
  const serverName = useServerName()
  const outcomeWord = useOutcomeWord()
  const recent = useQuery({
    queryKey: ['activity', 'recent', caller.name],
    queryFn: ({ signal }) => listActivity({ caller: caller.name, limit: 40 }, signal),
  })
  const calls = callsOf(recent.data?.entries ?? [])
    .filter((call) => call.outcome !== 'running')
    .slice(0, SHOWN)
    .reverse()
  if (calls.length === 0 && !waiting) return <p className="text-small text-ink-3">{t('activity.recent.none')}</p>
  return (
    <VerticalWire>
      {calls.map((call) => (
        <WireStop
          key={call.id}
          mark={<Socket {...outcomeLooks[call.outcome]} />}
          name={call.entry.name}
          note={`${serverName(call.entry.server)} · ${outcomeWord(call)}`}
          after={formatTime(call.at, lang)}
        />
      ))}
      {waiting && (
        <WireStop
          mark={<Socket shape="hold" tone="attn" />}
          name={waiting.name}
          note={<span className="text-attn-text">{t('inbox.gate')}</span>}
          after={formatTime(waiting.at, lang)}
        />
      )}
    </VerticalWire>
  )
}
