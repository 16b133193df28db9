import clsx from 'clsx'
import { ChevronRight } from 'lucide-react'
import { useState, type Dispatch } from 'react'
import { useTranslation } from 'react-i18next'
import { Checkbox, Icon } from '@/ui'
import type { WizardAction } from './wizard'

/** The ones people know come first. */
const famous = ['PATH', 'HOME', 'LANG']
const fame = (name: string) => (famous.includes(name) ? famous.indexOf(name) : famous.length)
const byFame = (a: string, b: string) => fame(a) - fame(b)

/** The variables a program gets anyway, folded to one row; opened, also the choice to pass everything. */
export function Passed({
  names,
  all,
  dispatch,
}: {
  names: readonly string[]
  all: boolean
  dispatch: Dispatch<WizardAction>
}) {
  const { t } = useTranslation()
  const [open, setOpen] = useState(all)
  const first = [...names].sort(byFame).slice(0, 3).join(', ')
  const folded = all
    ? t('wizard.passed.all')
    : t('wizard.passed.some', { names: first, count: Math.max(0, names.length - 3) })
  return (
    <div>
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex h-[30px] w-full items-center gap-2 pr-2 pl-2.5 text-left text-ink-3 hover:bg-hover focus-visible:shadow-[inset_0_0_0_2px_var(--focus)]"
      >
        <span className="min-w-0 flex-1 truncate">{folded}</span>
        <Icon of={ChevronRight} size={14} className={clsx('transition-transform', open && 'rotate-90')} />
      </button>
      {open && (
        <div className="px-2.5 pb-2.5">
          {names.length > 0 && <p className="mono mb-2 text-ink-3">{names.join(' ')}</p>}
          <Checkbox on={all} onChange={(inheritEnv) => dispatch({ type: 'edit', change: { inheritEnv } })}>
            {t('wizard.passed.inherit')}
          </Checkbox>
        </div>
      )}
    </div>
  )
}
