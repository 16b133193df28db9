import clsx from 'clsx'
import { Switch as Radix } from 'radix-ui'

export interface SwitchProps {
  on: boolean
  onChange: (on: boolean) => void
  /** The accessible name. */
  label: string
  inactive?: boolean
  tabIndex?: number
}

export function Switch({ on, onChange, label, inactive = false, ...rest }: SwitchProps) {
  return (
    <Radix.Root
      {...rest}
      checked={on}
      onCheckedChange={(next) => {
        if (!inactive) onChange(next)
      }}
      aria-label={label}
      aria-disabled={inactive || undefined}
      className={clsx(
        "group relative h-[18px] w-8 flex-none rounded-[9px] border transition-colors before:absolute before:-inset-[6px] before:content-['']",
        on ? 'border-switch-on bg-switch-on' : 'border-line-control bg-sunken',
        inactive && 'opacity-50',
      )}
    >
      <Radix.Thumb
        className={clsx(
          'absolute top-0.5 left-0.5 block size-3 rounded-full transition-transform',
          on ? 'translate-x-3.5 bg-switch-knob' : 'bg-line-control',
        )}
      />
    </Radix.Root>
  )
}
