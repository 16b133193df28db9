import type { CSSProperties } from 'react'
import { useTranslation } from 'react-i18next'
import { EffectMark } from '@/features/vocabulary'
import type { Effect, Tool } from '@/lib/api'
import { Badge, Card, Tooltip } from '@/ui'
import { byEffect, effects } from './risks'

const shown = 4
const widths: Record<Effect, string> = { reads: '1fr', writes: '1.1fr', destroys: '0.8fr' }

/** The tools by risk, with examples. */
export function RiskColumns({ tools }: { tools: readonly Tool[] }) {
  const { t } = useTranslation()
  const groups = byEffect(tools)
  const used = effects.filter((effect) => groups[effect].length > 0)
  if (used.length === 0)
    return <Card className="px-3.5 py-3 text-small text-ink-2">{t('wizard.disclaimer.noTools')}</Card>
  return (
    <Card
      style={{ '--columns': used.map((effect) => widths[effect]).join(' ') } as CSSProperties}
      className="grid grid-cols-[var(--columns)] max-sm:grid-cols-1 [&>*+*]:border-l [&>*+*]:border-line-subtle max-sm:[&>*+*]:border-t max-sm:[&>*+*]:border-l-0"
    >
      {used.map((effect) => {
        const names = groups[effect]
        return (
          <section key={effect} className="min-w-0 px-3.5 py-3">
            <h2 className="flex items-center gap-2 leading-[18px] font-normal">
              <EffectMark effect={effect} large />
              <span className="text-small text-ink-3">{t('wizard.disclaimer.tools', { count: names.length })}</span>
            </h2>
            <p className="mt-px mb-[7px] text-small text-ink-2">{t(`wizard.disclaimer.effect.${effect}`)}</p>
            <div className="flex flex-wrap gap-1">
              {names.slice(0, shown).map((name) => (
                <Badge key={name} code className="max-w-full truncate">
                  {name}
                </Badge>
              ))}
              {names.length > shown && (
                <Tooltip text={names.slice(shown).join(', ')}>
                  {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the names it stands for are in its tooltip */}
                  <span tabIndex={0} className="flex rounded-badge">
                    <Badge code>{`+${names.length - shown}`}</Badge>
                  </span>
                </Tooltip>
              )}
            </div>
          </section>
        )
      })}
    </Card>
  )
}
