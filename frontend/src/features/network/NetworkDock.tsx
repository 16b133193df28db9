import { useNavigate } from '@tanstack/react-router'
import { Radar, RotateCw } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { NetworkServer, NetworkView } from '@/lib/api'
import { formatAgo } from '@/lib/format'
import { useLang } from '@/lib/i18n'
import { useNow } from '@/lib/useNow'
import { Button, Icon, Socket } from '@/ui'
import { useIsSearched, useLook, useNetwork } from './queries'
import { useFoundFacts } from './useFoundFacts'

/** The servers of the local network, below the list of one's own. It is there only while they are searched. */
export function NetworkDock() {
  const { t } = useTranslation()
  const on = useIsSearched()
  const { data } = useNetwork(on)
  if (!on || data === undefined || data.off) return null
  return (
    <section
      aria-labelledby="network-dock"
      className="flex items-stretch gap-[18px] border-t border-line bg-sunken px-[var(--px)] py-2 max-md:flex-col max-md:gap-2"
    >
      <div className="flex flex-none items-center gap-2.5">
        <Icon of={Radar} size={16} className="text-ink-2" />
        <div>
          <h2 id="network-dock" className="text-small font-[550]">
            {t('network.title')}
          </h2>
          <div className="text-caption text-ink-3">{t('network.quiet')}</div>
        </div>
      </div>
      {data.servers.length > 0 ? <FoundList view={data} /> : <Nothing view={data} />}
    </section>
  )
}

function FoundList({ view }: { view: NetworkView }) {
  const { t } = useTranslation()
  return (
    <ul
      aria-label={t('network.title')}
      className="flex max-h-[116px] min-w-0 flex-1 flex-wrap gap-2.5 overflow-x-hidden overflow-y-auto p-0.5"
    >
      {view.servers.map((found) => (
        <Found key={found.id} found={found} />
      ))}
      {view.more && <li className="self-center text-small whitespace-nowrap text-ink-3">{t('network.more')}</li>}
    </ul>
  )
}

function Found({ found }: { found: NetworkServer }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const facts = useFoundFacts(found)
  return (
    <li className="flex max-w-[316px] min-w-0 flex-[1_1_240px] items-center gap-2.5 rounded-card border border-line bg-surface py-1.5 pr-1.5 pl-3 shadow-card">
      <Socket shape="found" tone="neutral" size={16} />
      <div className="min-w-0 flex-1" title={facts.full}>
        <div className="truncate text-[13px] font-[550]">{found.name}</div>
        <div className="truncate text-caption text-ink-3">{facts.short}</div>
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

function Nothing({ view }: { view: NetworkView }) {
  const { t } = useTranslation()
  const lang = useLang()
  const look = useLook()
  const now = useNow(1000)
  return (
    <div className="flex min-h-[45px] flex-1 items-center gap-3 text-small text-ink-2" role="status">
      {view.no_network ? (
        t('network.noNetwork')
      ) : (
        <>
          {view.looked ? t('network.nothing', { when: formatAgo(view.looked, lang, now) }) : t('network.looking')}
          <Button small look="ghost" icon={RotateCw} onClick={() => look.mutate()}>
            {t('network.look')}
          </Button>
        </>
      )}
    </div>
  )
}
