import { useTranslation } from 'react-i18next'
import { useStatus } from '@/features/program'
import type { Server } from '@/lib/api'
import { needsAttention } from './rows'

/** The sentence under the title: how many are ready, wait for a person, and what was called today. */
export function Facts({ servers }: { servers: readonly Server[] }) {
  const { t } = useTranslation()
  const calls = useStatus().data?.calls_today
  const ready = servers.filter((server) => server.state === 'ready').length
  const waiting = servers.filter(needsAttention).length
  return (
    <>
      {t('connexions.facts.ready', { count: ready })}
      {waiting > 0 && (
        <>
          {' · '}
          <b className="font-medium text-attn-text">{t('connexions.facts.waiting', { count: waiting })}</b>
        </>
      )}
      {calls !== undefined && <> · {t('connexions.facts.calls', { count: calls })}</>}
    </>
  )
}
