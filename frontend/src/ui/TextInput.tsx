import clsx from 'clsx'
import type { LucideIcon } from 'lucide-react'
import type { ComponentPropsWithRef, ReactNode } from 'react'
import { frame } from './Field'
import { Icon } from './Icon'

export interface TextInputProps extends ComponentPropsWithRef<'input'> {
  icon?: LucideIcon
  /** What a machine reads. */
  code?: boolean
  /** The quieter edge of searches. */
  soft?: boolean
  /** What stands inside the frame at the right: a unit, a key, a state. */
  after?: ReactNode
  frameClassName?: string
}

export function TextInput({
  icon,
  code = false,
  soft = false,
  after,
  className,
  frameClassName,
  ...rest
}: TextInputProps) {
  return (
    <div className={clsx(frame(rest['aria-invalid'] === true, soft), frameClassName)}>
      {icon && <Icon of={icon} size={15} className="text-ink-3" />}
      <input
        autoComplete="off"
        spellCheck={false}
        {...rest}
        className={clsx(
          'h-full min-w-0 flex-1 bg-transparent text-ink shadow-none! outline-none!',
          code && 'font-code [font-feature-settings:normal]',
          className,
        )}
      />
      {after}
    </div>
  )
}

export type TextAreaProps = ComponentPropsWithRef<'textarea'> & { code?: boolean }

export function TextArea({ code = false, className, ...rest }: TextAreaProps) {
  return (
    <textarea
      spellCheck={false}
      {...rest}
      className={clsx(
        'block w-full resize-y rounded-control border bg-surface px-2.5 py-[7px] text-[13px] leading-[19px] text-ink',
        rest['aria-invalid'] ? 'border-danger' : 'border-line-control',
        code && 'font-code text-[12px] [font-feature-settings:normal]',
        className,
      )}
    />
  )
}

export interface NumberInputProps extends Omit<TextInputProps, 'value' | 'onChange' | 'type'> {
  value: number | undefined
  onChange: (value: number | undefined) => void
  /** The unit, inside the frame. */
  unit?: ReactNode
}

/** A number that may be left out. */
export function NumberInput({ value, onChange, unit, ...rest }: NumberInputProps) {
  return (
    <TextInput
      {...rest}
      type="number"
      value={value ?? ''}
      onChange={(event) => {
        const next = event.target.valueAsNumber
        onChange(Number.isNaN(next) ? undefined : next)
      }}
      className="[appearance:textfield] tabular-nums [&::-webkit-inner-spin-button]:appearance-none"
      after={unit === undefined ? undefined : <span className="text-ink-3">{unit}</span>}
    />
  )
}
