import { Radar, RotateCw } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { NetworkView } from '@/lib/api'
import { formatAgo } from '@/lib/format'
import { useLang } from '@/lib/i18n'
import { useNow } from '@/lib/useNow'
import { Button, Icon } from '@/ui'
import { Found } from './Found'
import { useIsSearched, useLook, useNetwork } from './queries'

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
