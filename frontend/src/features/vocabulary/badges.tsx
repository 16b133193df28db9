import { BadgeCheck, Eye, FileCode, Pencil, TriangleAlert, UserPen, Users, type LucideIcon } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Effect, Transport, Trust } from '@/lib/api'
import { Badge, Icon, toneText, Tooltip, type Tone } from '@/ui'
import clsx from 'clsx'

const trustIcons: Record<Trust, LucideIcon> = { verified_official: BadgeCheck, community: Users, custom: UserPen }

/** Where a definition came from, and so how far it is believed. */
export function TrustBadge({ trust }: { trust: Trust }) {
  const { t } = useTranslation()
  return (
    <Badge plain icon={trustIcons[trust]}>
      {t(`trust.${trust}`)}
    </Badge>
  )
}

const transportNames: Record<Transport, string> = { stdio: 'stdio', streamable_http: 'HTTP', sse: 'SSE' }

export interface TransportBadgeProps {
  transport: Transport
  /** What is spoken now, where a server turned out to know only that. */
  inUse?: Transport | undefined
}

export function TransportBadge({ transport, inUse = transport }: TransportBadgeProps) {
  const { t } = useTranslation()
  const names =
    inUse === transport ? transportNames[transport] : `${transportNames[transport]} → ${transportNames[inUse]}`
  const meaning = t(`transports.${inUse}`)
  return (
    <Tooltip
      text={
        inUse === transport ? meaning : t('transports.fallback', { set: t(`transports.${transport}`), used: meaning })
      }
    >
      <span className="flex">
        <Badge>{names}</Badge>
      </span>
    </Tooltip>
  )
}

/** The first revision without a handshake, in which every request speaks for itself. */
const firstStateless = '2026-07-28'

/** The MCP revision in use, such as 2025-11-25. */
export function RevisionBadge({ revision }: { revision: string }) {
  const { t } = useTranslation()
  return (
    <Tooltip text={t(revision < firstStateless ? 'vocabulary.revision' : 'vocabulary.stateless')}>
      <span className="flex">
        <Badge code>{revision}</Badge>
      </span>
    </Tooltip>
  )
}

/** The mark of a server that is edited in config.toml. */
export function ConfigFileBadge({ line }: { line?: number | undefined }) {
  const { t } = useTranslation()
  return (
    <Tooltip text={line ? t('vocabulary.fileLine', { line }) : t('vocabulary.file')}>
      <span className="flex">
        <Badge plain icon={FileCode}>
          config.toml
        </Badge>
      </span>
    </Tooltip>
  )
}

const effects: Record<Effect, { icon: LucideIcon; tone: Tone }> = {
  reads: { icon: Eye, tone: 'ok' },
  writes: { icon: Pencil, tone: 'attn' },
  destroys: { icon: TriangleAlert, tone: 'danger' },
}

/** What a tool does to the world, as an icon and a word. */
export function EffectMark({ effect, large = false }: { effect: Effect; large?: boolean }) {
  const { t } = useTranslation()
  const { icon, tone } = effects[effect]
  return (
    <span
      className={clsx(
        'inline-flex flex-none items-center gap-1 whitespace-nowrap',
        large ? 'text-[13px] font-[550]' : 'text-caption',
        toneText[tone],
      )}
    >
      <Icon of={icon} size={large ? 15 : 13} />
      {t(`effects.${effect}`)}
    </span>
  )
}
