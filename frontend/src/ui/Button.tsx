import clsx from 'clsx'
import type { LucideIcon } from 'lucide-react'
import type { ComponentPropsWithRef, MouseEvent } from 'react'
import { Icon } from './Icon'
import { Kbd } from './Kbd'
import { Tooltip } from './Tooltip'

export type ButtonLook = 'plain' | 'primary' | 'ghost' | 'danger' | 'danger-filled' | 'link'

const looks: Record<ButtonLook, string> = {
  plain:
    'border-line bg-surface text-ink shadow-card hover:bg-[image:linear-gradient(var(--bg-hover),var(--bg-hover))] active:bg-[image:linear-gradient(var(--bg-press),var(--bg-press))]',
  primary:
    'border-transparent bg-accent font-[550] text-on-accent shadow-card hover:bg-accent-hover active:bg-accent-press',
  ghost: 'border-transparent text-ink-2 hover:bg-hover active:bg-press',
  danger: 'border-danger-line bg-surface text-danger-text shadow-card hover:bg-danger-soft',
  'danger-filled': 'border-transparent bg-danger font-[550] text-on-danger shadow-card hover:bg-danger-hover',
  link: 'h-auto! border-0 p-0! text-accent-text hover:underline',
}

export interface ButtonProps extends Omit<ComponentPropsWithRef<'button'>, 'disabled'> {
  look?: ButtonLook
  small?: boolean
  icon?: LucideIcon
  /** Keys drawn at the right of the word. */
  keys?: string
  /** Visibly inactive, still focusable; the reason is told in the tooltip. */
  inactive?: boolean
  reason?: string
}

export function Button({
  look = 'plain',
  small = false,
  icon,
  keys,
  inactive = false,
  reason,
  className,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    if (inactive) event.preventDefault()
    else onClick?.(event)
  }
  const button = (
    <button
      type="button"
      {...rest}
      {...(inactive ? { 'aria-disabled': true } : {})}
      onClick={press}
      className={clsx(
        'inline-flex flex-none items-center justify-center gap-[7px] rounded-control border font-medium whitespace-nowrap transition-colors',
        small ? 'h-7 px-2.5 text-small' : 'h-8 px-3 text-[13px] leading-5',
        looks[look],
        inactive && 'pointer-events-auto opacity-50',
        className,
      )}
    >
      {icon && <Icon of={icon} size={15} className="opacity-90" />}
      {children}
      {keys && <Kbd inherit={look === 'primary'}>{keys}</Kbd>}
    </button>
  )
  return reason === undefined ? button : <Tooltip text={reason}>{button}</Tooltip>
}

export interface IconButtonProps extends Omit<ButtonProps, 'children' | 'icon' | 'keys' | 'small'> {
  icon: LucideIcon
  /** The accessible name; also the tooltip. */
  label: string
  size?: number
}

/** A 28 px button with an icon alone. */
export function IconButton({
  icon,
  label,
  size = 16,
  look = 'ghost',
  className,
  inactive,
  reason,
  ...rest
}: IconButtonProps) {
  return (
    <Tooltip text={reason ?? label}>
      <button
        type="button"
        aria-label={label}
        {...rest}
        {...(inactive ? { 'aria-disabled': true, onClick: undefined } : {})}
        className={clsx(
          'inline-flex size-7 flex-none items-center justify-center rounded-control border transition-colors',
          looks[look],
          look === 'ghost' && 'text-ink-3!',
          inactive && 'opacity-50',
          className,
        )}
      >
        <Icon of={icon} size={size} />
      </button>
    </Tooltip>
  )
}
