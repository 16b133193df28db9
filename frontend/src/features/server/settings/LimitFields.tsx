import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { NumberInput, Switch } from '@/ui'
import { defaults, type LimitProblem, type Limits } from './limits'

export interface LimitFieldsProps {
  limits: Limits
  onLimits: (limits: Limits) => void
  problems: readonly LimitProblem[]
  /** A program of this computer, which has an environment. */
  local: boolean
  readOnly: boolean
}

/** Time, size, approval, environment: one row each. */
export function LimitFields({ limits, onLimits, problems, local, readOnly }: LimitFieldsProps) {
  const { t } = useTranslation()
  const set = (change: Partial<Limits>) => {
    if (!readOnly) onLimits({ ...limits, ...change })
  }
  const numbers = [
    { key: 'timeout', unit: t('server.settings.seconds') },
    { key: 'buffer', unit: t('server.settings.mib') },
  ] as const
  return (
    <>
      {numbers.map(({ key, unit }) => (
        <Row
          key={key}
          name={t(`server.settings.${key}`)}
          note={problems.includes(key) ? t(`server.settings.${key}Wrong`) : t(`server.settings.${key}More`)}
          wrong={problems.includes(key)}
        >
          <NumberInput
            aria-label={t(`server.settings.${key}`)}
            aria-invalid={problems.includes(key)}
            readOnly={readOnly}
            value={limits[key]}
            placeholder={String(defaults[key])}
            unit={unit}
            onChange={(value) => set({ [key]: value })}
            frameClassName="w-32"
          />
        </Row>
      ))}
      <Row name={t('server.settings.approval')} note={t('server.settings.approvalMore')}>
        <Switch
          on={limits.verdict !== 'allow'}
          inactive={readOnly}
          label={t('server.settings.approval')}
          onChange={(on) => set({ verdict: on ? 'ask' : 'allow' })}
        />
      </Row>
      {local && (
        <Row name={t('server.settings.inheritEnv')} note={t('server.settings.inheritEnvMore')}>
          <Switch
            on={limits.inheritEnv}
            inactive={readOnly}
            label={t('server.settings.inheritEnv')}
            onChange={(inheritEnv) => set({ inheritEnv })}
          />
        </Row>
      )}
    </>
  )
}

interface RowProps {
  name: string
  note: string
  wrong?: boolean
  children: ReactNode
}

function Row({ name, note, wrong = false, children }: RowProps) {
  return (
    <div className="flex min-h-12 items-center gap-3 px-3.5 py-[9px]">
      <div className="min-w-0 flex-1">
        <div className="font-medium">{name}</div>
        <div className={wrong ? 'text-small text-danger-text' : 'text-small text-ink-3'}>{note}</div>
      </div>
      {children}
    </div>
  )
}
