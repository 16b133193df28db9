import type { TFunction } from 'i18next'
import type { FailureWords } from '@/features/vocabulary'
import type { Server } from '@/lib/api'
import { formatWhen, type Lang } from '@/lib/format'
import { hostOf, reachOf } from './rows'

export interface Reason {
  /** One line of the row. */
  short: string
  /** The whole sentence, with its facts. */
  full: string
}

/** Why a server is in its state; for a server that works, how it is reached. */
export function reasonOf(server: Server, words: (error: unknown) => FailureWords, t: TFunction, lang: Lang): Reason {
  if (server.state === 'off' && server.enabled) {
    const ended = t('connexions.reason.disconnected')
    return { short: ended, full: ended }
  }
  if (server.moved) {
    const moved = t('connexions.reason.moved', { address: hostOf(server.moved.to) })
    return { short: moved, full: moved }
  }
  if (server.reason) {
    const { short, what } = words(server.reason)
    return { short, full: what }
  }
  if (server.state === 'ready' && (server.held_tools ?? 0) > 0) {
    const held = t('connexions.reason.held', { count: server.held_tools })
    return { short: held, full: held }
  }
  const text = quietReason(server, t, lang)
  return { short: text, full: text }
}

function quietReason(server: Server, t: TFunction, lang: Lang): string {
  if (server.state === 'off') {
    return server.since ? t('connexions.reason.off', { when: formatWhen(server.since, lang) }) : t('states.off')
  }
  if (server.state === 'starting') return t('connexions.reason.starting')
  if (server.state === 'installing') {
    return server.last_line
      ? t('connexions.reason.wrote', { line: server.last_line })
      : t('connexions.reason.installing')
  }
  return reachOf(server)
}
