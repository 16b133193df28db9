import clsx from 'clsx'
import { Check, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Icon } from '@/ui'
import { stepIndex, type StepName } from './wizard'

export interface StepSummary {
  name: StepName
  /** What was answered, under the name. */
  value: string
  /** What a machine reads. */
  code?: boolean
  failed?: boolean
}

export interface StepsWireProps {
  steps: readonly StepSummary[]
  now: StepName
  reached: StepName
  onGo: (step: StepName) => void
}

/** The steps on a wire, with what was answered under each; steps that were opened are links. */
export function StepsWire({ steps, now, reached, onGo }: StepsWireProps) {
  const { t } = useTranslation()
  return (
    <ol aria-label={t('wizard.steps')} className="max-sm:flex max-sm:gap-4 max-sm:overflow-x-auto">
      {steps.map((step, n) => {
        const past = stepIndex(step.name) < stepIndex(now)
        const open = step.name !== now && stepIndex(step.name) <= stepIndex(reached)
        return (
          <li
            key={step.name}
            aria-current={step.name === now ? 'step' : undefined}
            className={clsx(
              'relative flex gap-3 pb-5 max-sm:pb-0',
              n < steps.length - 1 &&
                "before:absolute before:top-5 before:-bottom-0.5 before:left-2 before:w-0.5 before:content-[''] max-sm:before:hidden",
              n < steps.length - 1 && (past ? 'before:bg-accent' : 'before:bg-line'),
            )}
          >
            <StepDot past={past} now={step.name === now} failed={step.failed === true} />
            <div className="min-w-0 flex-1">
              {open ? (
                <button
                  type="button"
                  className="rounded-badge leading-5 hover:underline"
                  onClick={() => onGo(step.name)}
                >
                  {t(`wizard.step.${step.name}`)}
                </button>
              ) : (
                <span className={clsx('leading-5', step.name === now ? 'font-semibold' : past ? '' : 'text-ink-3')}>
                  {t(`wizard.step.${step.name}`)}
                </span>
              )}
              {step.value !== '' && (
                <div
                  title={step.value}
                  className={clsx(
                    'max-w-[164px] truncate leading-4 max-sm:hidden',
                    step.failed ? 'text-danger-text' : 'text-ink-3',
                    step.code ? 'font-code text-[11.1px] [font-feature-settings:normal]' : 'text-[12px]',
                  )}
                >
                  {step.value}
                </div>
              )}
            </div>
          </li>
        )
      })}
    </ol>
  )
}

function StepDot({ past, now, failed }: { past: boolean; now: boolean; failed: boolean }) {
  return (
    <span
      className={clsx(
        'mt-px grid size-[18px] flex-none place-items-center rounded-full border-2',
        failed && 'border-danger bg-danger text-on-danger',
        !failed && past && 'border-accent bg-accent text-on-accent',
        !failed && now && 'border-accent bg-accent shadow-[inset_0_0_0_3px_var(--bg-window)]',
        !failed && !past && !now && 'border-line-control bg-window',
      )}
    >
      {failed ? <Icon of={X} size={11} /> : past && <Icon of={Check} size={11} />}
    </span>
  )
}
