import { Activity, Cable, KeyRound } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Announcement } from '@/lib/api'
import { Icon } from '@/ui'

/** What the network learns of a server and of this computer, and what it never does. */
export function VisibleFacts({ of }: { of: Announcement }) {
  const { t } = useTranslation()
  const rows: [string, string][] = [
    ['name', of.instance],
    ['host', [of.host, ...of.addresses].join(', ')],
    ['port', String(of.port)],
    ['path', of.path],
    ['transport', of.transport],
    ['tls', t(of.tls ? 'preferences.announce.yes' : 'preferences.announce.no')],
    ['auth', t(`network.auth.${of.auth}`)],
  ]
  const never = [
    [Cable, 'servers'],
    [KeyRound, 'secrets'],
    [Activity, 'calls'],
  ] as const
  return (
    <div className="grid grid-cols-[1.4fr_1fr] gap-4 max-sm:grid-cols-1">
      <div>
        <div className="mb-1.5 flex justify-between gap-3 text-small font-medium">
          <span>{t('preferences.announce.visible')}</span>
          <span className="mono text-caption font-normal text-ink-3">_apollia-mcp._tcp</span>
        </div>
        <dl className="mono grid grid-cols-[auto_1fr] gap-x-4 rounded-lg border border-line bg-sunken px-3 py-2 text-[11.5px]">
          {rows.map(([key, value]) => (
            <div key={key} className="contents">
              <dt className="text-accent-text">{key}</dt>
              <dd className="min-w-0 break-all">{value}</dd>
            </div>
          ))}
        </dl>
      </div>
      <div>
        <div className="mb-1.5 text-small font-medium">{t('preferences.announce.never.title')}</div>
        <ul className="grid gap-1.5 text-small text-ink-2">
          {never.map(([icon, key]) => (
            <li key={key} className="flex items-center gap-2">
              <Icon of={icon} size={14} className="text-ink-3" />
              {t(`preferences.announce.never.${key}`)}
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}
