import clsx from 'clsx'
import { useId, type ReactNode } from 'react'

/** What a control needs from its field so that label, help and error are tied to it. */
export interface FieldControl {
  id: string
  'aria-describedby'?: string
  'aria-invalid'?: boolean
  'aria-required'?: boolean
}

export interface FieldProps {
  label: ReactNode
  /** The word for "required", where it is. */
  required?: string
  /** The machine's name of the field, at the right of the label. */
  code?: string
  help?: ReactNode
  error?: ReactNode
  className?: string
  children: (control: FieldControl) => ReactNode
}

/** A label, a control, its help and its error. */
export function Field({ label, required, code, help, error, className, children }: FieldProps) {
  const id = useId()
  const note = error ?? help
  const control: FieldControl = { id }
  if (note !== undefined) control['aria-describedby'] = `${id}-note`
  if (error !== undefined) control['aria-invalid'] = true
  if (required !== undefined) control['aria-required'] = true
  return (
    <div className={clsx('min-w-0', className)}>
      <div className="mb-1 flex items-baseline gap-1.5 text-small font-medium">
        <label htmlFor={id}>{label}</label>
        {required !== undefined && <span className="text-caption font-normal text-ink-3">{required}</span>}
        {code !== undefined && <code className="ml-auto truncate text-[11.5px]! font-normal text-ink-3">{code}</code>}
      </div>
      {children(control)}
      {note !== undefined && (
        <div
          id={`${id}-note`}
          className={clsx('mt-1 text-caption', error === undefined ? 'text-ink-3' : 'text-danger-text')}
        >
          {note}
        </div>
      )}
    </div>
  )
}

/** The frame shared by all single-line controls. */
export function frame(invalid: boolean | undefined, soft = false): string {
  return clsx(
    'flex h-8 min-w-0 items-center gap-2 rounded-control border bg-surface px-2.5 text-[13px]',
    invalid ? 'border-danger shadow-[0_0_0_1px_var(--danger)]' : soft ? 'border-line' : 'border-line-control',
    'has-[input:focus-visible]:shadow-[var(--focus-ring)]',
  )
}
