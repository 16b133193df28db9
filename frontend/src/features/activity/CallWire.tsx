import { useTranslation } from 'react-i18next'
import { useServers } from '@/features/connexions'
import { ruleSentence, useRules } from '@/features/policy'
import { useCallerName } from '@/features/vocabulary'
import { formatDuration } from '@/lib/format'
import { useLang } from '@/lib/i18n'
import { Socket, VerticalWire, WireStop, type SocketShape, type Tone } from '@/ui'
import type { JournalCall } from './calls'
import { outcomeLooks } from './outcomes'

const verdictShapes: Record<string, { shape: SocketShape; tone: Tone }> = {
  allow: { shape: 'ready', tone: 'accent' },
  ask: { shape: 'hold', tone: 'attn' },
  deny: { shape: 'denied', tone: 'danger' },
}

/** Who asked, what the rules said, what became of it, on one wire; what was never reached is dashed. */
export function CallWire({ call }: { call: JournalCall }) {
  const { t } = useTranslation()
  const lang = useLang()
  const callerName = useCallerName()
  const { entry, outcome } = call
  const server = useServers().data?.find(({ id }) => id === entry.server)
  const rule = useRules().data?.rules.find(({ id }) => id === entry.rule_id)
  const verdict = entry.verdict ?? ''
  const because = rule
    ? ruleSentence(rule, t)
    : t([`activity.because.${entry.because ?? ''}`, 'activity.because.other'])
  const stopped = outcome === 'refused' || outcome === 'cancelled'
  return (
    <VerticalWire label={t('activity.detail.route')}>
      <WireStop
        mark={<Socket shape="ready" tone="accent" />}
        name={callerName(entry.caller)}
        note={
          entry.caller.session
            ? t('activity.detail.session', { id: entry.caller.session.slice(0, 12) })
            : t('activity.detail.noSession')
        }
      />
      {verdict !== '' && (
        <WireStop
          mark={<Socket {...(verdictShapes[verdict] ?? { shape: 'off', tone: 'neutral' })} />}
          name={t(`activity.verdicts.${verdict}`)}
          note={because}
          below={stopped ? 'dashed' : 'accent'}
        />
      )}
      <WireStop
        mark={<Socket {...(stopped ? { shape: 'found' as const, tone: 'neutral' as const } : outcomeLooks[outcome])} />}
        name={server?.name ?? entry.server}
        note={stopped ? t('activity.detail.notReached') : t(`activity.outcomes.${outcome}`)}
        after={stopped || outcome === 'running' ? '' : formatDuration(entry.duration_ms ?? 0, lang)}
      />
    </VerticalWire>
  )
}
