import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { TrustBadge } from '@/features/vocabulary'
import type { NetworkServer } from '@/lib/api'
import { formatAgo } from '@/lib/format'
import { useLang } from '@/lib/i18n'
import { useNow } from '@/lib/useNow'
import { Button, KeyValue, KeyValueList, Popover, Socket } from '@/ui'

/** One server of the local network: what it says of itself, and the way to look at it closer. */
export function Found({ found }: { found: NetworkServer }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [open, setOpen] = useState(false)
  const facts = t('network.facts', { transport: transportOf(found), port: found.port, auth: authOf(found, t) })
  const fault = found.faults?.[0]
  const said = fault === undefined ? `${facts} · ${found.host}` : t(`errors.invalid_input.reasons.${fault}`)
  return (
    <li className="flex max-w-[316px] min-w-0 flex-[1_1_240px] items-center gap-2.5 rounded-card border border-line bg-surface py-1.5 pr-1.5 pl-3 shadow-card">
      <Socket shape="found" tone="neutral" size={16} />
      <div className="min-w-0 flex-1">
        <Popover
          open={open}
          onOpenChange={setOpen}
          label={found.name}
          side="top"
          trigger={
            <button
              type="button"
              title={found.name}
              className="block max-w-full truncate text-[13px] font-[550] hover:underline"
            >
              {found.name}
            </button>
          }
        >
          <Facts found={found} />
        </Popover>
        <div className="truncate text-caption text-ink-3" title={said}>
          {said}
        </div>
      </div>
      <Button
        small
        aria-label={t('network.reviewOf', { name: found.name })}
        onClick={() => void navigate({ to: '/add', search: { found: found.id } })}
      >
        {t('network.review')}
      </Button>
    </li>
  )
}

/** All that is known of it, none of it checked. */
function Facts({ found }: { found: NetworkServer }) {
  const { t } = useTranslation()
  const lang = useLang()
  const now = useNow(1000)
  return (
    <>
      <div className="mb-2 font-semibold break-words">{found.name}</div>
      <KeyValueList>
        <KeyValue name={t('network.known.trust')}>
          <TrustBadge trust="community" />
        </KeyValue>
        <KeyValue name={t('network.known.instance')}>
          <span className="break-words">{found.instance}</span>
        </KeyValue>
        <KeyValue name={t('network.known.host')}>
          <span className="mono break-all">{`${found.host}:${String(found.port)}${found.path}`}</span>
        </KeyValue>
        <KeyValue name={t('network.known.addresses')}>
          <span className="mono break-all">{found.addresses.map(({ addr }) => addr).join(', ')}</span>
        </KeyValue>
        <KeyValue name={t('network.known.transport')}>
          {transportOf(found)}, {t(found.tls === true ? 'network.known.encrypted' : 'network.known.clear')}
        </KeyValue>
        <KeyValue name={t('network.known.auth')}>{authOf(found, t)}</KeyValue>
        <KeyValue name={t('network.known.since')}>{formatAgo(found.since, lang, now)}</KeyValue>
      </KeyValueList>
      <p className="mt-2.5 text-small text-ink-3">{t('network.known.note')}</p>
    </>
  )
}

const transportOf = (found: NetworkServer) => (found.transport === 'sse' ? 'SSE' : 'HTTP')

const authOf = (found: NetworkServer, t: (key: string) => string) => t(`network.auth.${found.auth ?? 'unknown'}`)
