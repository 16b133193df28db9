import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useServers } from '@/features/connexions'
import { useIsSearched, useNetwork } from '@/features/network'
import { useIsOn, useSettings } from '@/features/program'
import { native } from '@/lib/native'
import { newcomers, newsOf, type Known, type Met } from './news'

/** Has the desktop tell what needs a person who looks elsewhere. A browser has no desktop to ask. */
export function useNotifications(waiting: number | undefined): void {
  const { t } = useTranslation()
  const settings = useSettings().data
  const servers = useServers().data
  const known = useRef<Known>({ waiting: undefined, servers: undefined })
  useEffect(() => {
    const now: Known = { waiting, servers }
    const { requests, fallen } = newsOf(known.current, now)
    known.current = now
    const notify = native('Notify')
    if (!notify || document.hasFocus()) return
    const wanted = (key: string) => settings?.find((setting) => setting.key === key)?.value !== 'false'
    if (requests > 0 && wanted('notifications.requests')) {
      void notify('requests', 'Apollia Connexions', t('shell.newRequests', { count: requests }))
    }
    if (!wanted('notifications.servers')) return
    for (const { id, name, state } of fallen) void notify(`server-${id}`, name, t(`states.${state}`))
  }, [waiting, servers, settings, t])
}

/** Has the desktop tell of servers that come to the local network, if a person wants that; it is not so by itself. */
export function useNetworkNotifications(): void {
  const { t } = useTranslation()
  const wanted = useIsOn('notifications.network')
  const searched = useIsSearched()
  const view = useNetwork(wanted && searched && native('Notify') !== undefined).data
  const met = useRef<Met | undefined>(undefined)
  useEffect(() => {
    if (view === undefined) return
    const news = newcomers(met.current, view)
    met.current = news.met
    if (!wanted || news.count === 0 || document.hasFocus()) return
    void native('Notify')?.('network', 'Apollia Connexions', t('shell.newFound', { count: news.count }))
  }, [view, wanted, t])
}
