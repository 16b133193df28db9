import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { useStatus } from '@/features/program'
import type { Status } from '@/lib/api'
import { Socket, Tooltip, type SocketShape, type Tone } from '@/ui'

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

export function GatewayFoot() {
  const { t } = useTranslation()
  const { data } = useStatus()
  const gateway = gatewayOf(data, t)
  return (
    <Tooltip text={`${gateway.word} · ${gateway.note}`} side="right">
      <div className="mt-auto flex gap-[9px] rounded-control p-2 text-[12px] leading-4 text-ink-2 max-md:justify-center">
        <Socket shape={gateway.shape} tone={gateway.tone} />
        <div className="min-w-0 max-md:sr-only">
          <span className="block truncate">{gateway.word}</span>
          <span className="block truncate text-ink-3">{gateway.note}</span>
        </div>
      </div>
    </Tooltip>
  )
}
