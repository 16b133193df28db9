import { path, request } from './client'
import type { Announcement, Definition, NetworkView, Server, Setting } from './types'

type Signal = AbortSignal | undefined

export const showNetwork = (signal?: Signal) => request<NetworkView>('GET', '/api/network', undefined, signal)

/** Asks the network again, now. */
export const lookAtNetwork = () => request<unknown>('POST', '/api/network/look')

/** A draft of a found server, at the first of its addresses that answers. */
export const draftFound = async (id: string) =>
  (await request<{ definition: Definition }>('POST', path`/api/network/found/${id}/draft`)).definition

/** What the network would see of a server; fails with the reason why it cannot be reached from there. */
export const showAnnouncement = (server: string, signal?: Signal) =>
  request<Announcement>('GET', path`/api/servers/${server}/announcement`, undefined, signal)

/** Shows a server to the network, or no longer; without a server, none. */
export const announce = async (change: { server?: string; on: boolean }) =>
  (await request<{ settings: Setting[] }>('PUT', '/api/network/announce', change)).settings

/** Reaches a server at the address that a person saw. */
export const followMove = (id: string, to: string) => request<Server>('POST', path`/api/servers/${id}/move`, { to })
