import { Radar } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { networkKeys } from '@/features/network'
import { useSetting } from '@/features/settings'
import { ConfigFileBadge } from '@/features/vocabulary'
import type { NetworkView } from '@/lib/api'
import { formatAgo } from '@/lib/format'
import { useLang } from '@/lib/i18n'
import { useNow } from '@/lib/useNow'
import { Switch } from '@/ui'
import { PreferenceRow } from './PreferenceRow'

/** Whether servers of the local network are searched, with what the network sees of that. */
export function SearchRow({ view }: { view: NetworkView }) {
  const { t } = useTranslation()
  const { setting, value, fixed, change } = useSetting(networkKeys.search)
  const name = t('preferences.search.name')
  return (
    <PreferenceRow icon={Radar} name={name} note={t('preferences.search.note')}>
      {value === 'true' && <Found view={view} />}
      {fixed && <ConfigFileBadge line={setting?.line} />}
      <Switch on={value === 'true'} inactive={fixed} label={name} onChange={(on) => change(String(on))} />
    </PreferenceRow>
  )
}

function Found({ view }: { view: NetworkView }) {
  const { t } = useTranslation()
  const lang = useLang()
  const now = useNow(1000)
  return (
    <span className="text-small whitespace-nowrap text-ink-2" role="status">
      {view.no_network
        ? t('preferences.search.noNetwork')
        : view.looked &&
          t('preferences.search.found', { count: view.servers.length, when: formatAgo(view.looked, lang, now) })}
    </span>
  )
}
