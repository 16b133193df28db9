import { Copy, OctagonX } from 'lucide-react'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { useStopAll } from '@/features/halt'
import { useStatus } from '@/features/program'
import { useCopy } from '@/features/vocabulary'
import type { Status } from '@/lib/api'
import { Menu, Socket, type MenuItem, type SocketShape, type Tone } from '@/ui'
import { onMac } from './shortcuts'

interface Gateway {
  shape: SocketShape
  tone: Tone
  word: string
  note: string
}

/** What the foot of the sidebar says of the gateway: where it listens, or why it does not. */
export function gatewayOf(status: Status | undefined, t: TFunction): Gateway {
  if (status === undefined) return { shape: 'off', tone: 'neutral', word: t('shell.gateway.unknown'), note: '' }
  if (status.url === undefined) {
    const note = status.problem?.args?.address ?? t('shell.gateway.notListening')
    return { shape: 'stopped', tone: 'danger', word: t('shell.gateway.unavailable'), note }
  }
  const address = new URL(status.url).host
  if (status.servers.total === 0) {
    return { shape: 'off', tone: 'neutral', word: t('shell.gateway.idle'), note: t('shell.gateway.noServer') }
  }
  return { shape: 'ready', tone: 'ok', word: t('shell.gateway.active'), note: address }
}

/** The state of the gateway; it opens the menu of what holds for all calls. */
export function GatewayFoot() {
  const { t } = useTranslation()
  const { data } = useStatus()
  const gateway = gatewayOf(data, t)
  return (
    <Menu
      align="start"
      items={useItems(data?.mcp_url)}
      trigger={
        <button
          type="button"
          title={`${gateway.word} · ${gateway.note}`}
          className="mt-auto flex gap-[9px] rounded-control p-2 text-left text-[12px] leading-4 text-ink-2 hover:bg-hover max-md:justify-center"
        >
          <Socket shape={gateway.shape} tone={gateway.tone} />
          <span className="min-w-0 max-md:sr-only">
            <span className="block truncate">{gateway.word}</span>
            <span className="block truncate text-ink-3">{gateway.note}</span>
          </span>
        </button>
      }
    />
  )
}

function useItems(address: string | undefined): MenuItem[] {
  const { t } = useTranslation()
  const copy = useCopy()
  const stop = useStopAll()
  return [
    ...(address === undefined ? [] : [{ label: t('shell.gateway.copy'), icon: Copy, onSelect: () => copy(address) }]),
    {
      label: t('halt.stop'),
      icon: OctagonX,
      danger: true,
      apart: true,
      keys: onMac() ? '⌘ .' : 'Ctrl .',
      onSelect: stop,
    },
  ]
}
