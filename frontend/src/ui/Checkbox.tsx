import clsx from 'clsx'
import { Check } from 'lucide-react'
import { Checkbox as Radix } from 'radix-ui'
import { useId, type ReactNode } from 'react'
import { Icon } from './Icon'

export interface CheckboxProps {
  on: boolean
  onChange: (on: boolean) => void
  children: ReactNode
  className?: string
}

export function Checkbox({ on, onChange, children, className }: CheckboxProps) {
  const id = useId()
  return (
    <div className={clsx('flex items-center gap-[11px]', className)}>
      <Radix.Root
        id={id}
        checked={on}
        onCheckedChange={(next) => onChange(next === true)}
        className={clsx(
          "relative grid size-[18px] flex-none place-items-center rounded-[5px] border-[1.5px] transition-colors before:absolute before:-inset-[6px] before:content-['']",
          on ? 'border-accent bg-accent text-on-accent' : 'border-line-control bg-surface text-transparent',
        )}
      >
        <Radix.Indicator>
          <Icon of={Check} size={13} />
        </Radix.Indicator>
      </Radix.Root>
      <label htmlFor={id}>{children}</label>
    </div>
  )
}
