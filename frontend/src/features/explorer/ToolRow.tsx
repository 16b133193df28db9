import { Link } from '@tanstack/react-router'
import { UserCheck } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { EffectMark } from '@/features/vocabulary'
import type { Reason, SeenTool, ToolHit } from '@/lib/api'
import { formatNumber } from '@/lib/format'
import { useLang } from '@/lib/i18n'
import { Badge, Icon } from '@/ui'

/** One tool as an agent sees it; one that was searched for says how well it fits, and why. */
export function ToolRow({ tool }: { tool: SeenTool | ToolHit }) {
  const { t } = useTranslation()
  const reasons = 'reasons' in tool ? tool.reasons : []
  return (
    <div className="flex items-start gap-4 px-4 py-3">
      <div className="min-w-0 flex-1">
        <div className="flex min-w-0 items-center gap-2.5">
          <Link
            to="/servers/$id"
            params={{ id: tool.server }}
            search={{ tab: 'tools', tool: tool.tool }}
            className="mono min-w-0 truncate text-[13px] font-medium text-ink hover:underline"
            title={tool.fqn}
          >
            {tool.fqn}
          </Link>
          <EffectMark effect={tool.effect} />
          {tool.asks && (
            <span title={t('explorer.asks')} className="flex text-attn-text">
              <Icon of={UserCheck} size={14} />
              <span className="sr-only">{t('explorer.asks')}</span>
            </span>
          )}
        </div>
        <p className="mt-0.5 line-clamp-2 text-small wrap-break-word text-ink-2">{tool.description}</p>
        {reasons.length > 0 && <Reasons reasons={reasons} />}
      </div>
      {'score' in tool && <Score score={tool.score} />}
    </div>
  )
}

/** Which word of the question met which of the tool. */
function Reasons({ reasons }: { reasons: readonly Reason[] }) {
  const { t } = useTranslation()
  return (
    <ul aria-label={t('explorer.why')} className="mt-1.5 flex flex-wrap gap-1.5">
      {reasons.map(({ asked, met, field, way }) => (
        <li key={`${asked} ${met}`} className="flex">
          <Badge>
            {way === 'meaning'
              ? t('explorer.way.meaning')
              : t('explorer.reason', {
                  asked,
                  met,
                  field: t(`explorer.field.${field}`),
                  way: t(`explorer.way.${way}`),
                })}
          </Badge>
        </li>
      ))}
    </ul>
  )
}

function Score({ score }: { score: number }) {
  const { t } = useTranslation()
  const lang = useLang()
  return (
    <div className="flex w-[74px] flex-none items-center gap-2 pt-1" title={t('explorer.score')}>
      <span aria-hidden className="h-1 flex-1 overflow-hidden rounded-full bg-sunken">
        <span className="block h-full rounded-full bg-accent" style={{ width: `${Math.round(score * 100)}%` }} />
      </span>
      <span className="text-caption text-ink-3 tabular-nums">{formatNumber(score, lang, 2)}</span>
    </div>
  )
}
