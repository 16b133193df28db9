import clsx from 'clsx'
import { useTranslation } from 'react-i18next'

const steps = ['asks', 'read', 'presents', 'you', 'kept'] as const

/** The wire to the next dot: beside it, and below it where there is no room. */
const wire =
  "before:absolute before:top-1 before:right-1 before:left-3.5 before:h-0.5 before:bg-[repeating-linear-gradient(90deg,var(--line-control)_0_4px,transparent_4px_8px)] before:content-[''] max-md:before:top-[17px] max-md:before:right-auto max-md:before:bottom-[-5px] max-md:before:left-1 max-md:before:h-auto max-md:before:w-0.5 max-md:before:bg-[repeating-linear-gradient(180deg,var(--line-control)_0_3px,transparent_3px_6px)]"

/** What OAuth does, as five dots on a dashed wire: the safran one is the only moment a person acts. */
export function OAuthSteps() {
  const { t } = useTranslation()
  return (
    <ol className="mt-3 grid grid-cols-[1fr_1.05fr_1.1fr_1.2fr_1.15fr] max-md:mt-2 max-md:grid-cols-1">
      {steps.map((step, n) => (
        <li
          key={step}
          className={clsx(
            'relative min-w-0 pt-[18px] max-md:flex max-md:items-baseline max-md:gap-2 max-md:py-[2.5px] max-md:pl-5',
            n < steps.length - 1 && wire,
          )}
        >
          <i
            aria-hidden
            className={clsx(
              'absolute top-0 left-0 size-2.5 rounded-full border-2 max-md:top-1.5',
              step === 'you' ? 'border-attn-mark bg-attn' : 'border-line-control bg-surface',
            )}
          />
          <b
            className={clsx('block truncate text-small leading-[17px] font-[550]', step === 'you' && 'text-attn-text')}
          >
            {t(`wizard.auth.oauth.steps.${step}.name`)}
          </b>
          <span className="block truncate text-[11.5px] leading-[15px] text-ink-3">
            {t(`wizard.auth.oauth.steps.${step}.how`)}
          </span>
        </li>
      ))}
    </ol>
  )
}
