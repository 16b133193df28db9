import { X, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, type ButtonProps } from '@/ui'

interface CardButtonProps {
  children: ReactNode
  onClick: () => void
  small?: boolean
  className?: string
}

export interface RefuseButtonProps extends CardButtonProps {
  icon?: LucideIcon
  pending: boolean
}

/** What says no, at the left of every card; its key is drawn where the card has the page for itself. */
export function RefuseButton({ icon = X, pending, small = false, ...rest }: RefuseButtonProps) {
  const { t } = useTranslation()
  return (
    <Button
      look="danger"
      icon={icon}
      small={small}
      {...(small ? {} : { keys: t('keys.escape') })}
      inactive={pending}
      {...rest}
    />
  )
}

export interface AgreeButtonProps extends CardButtonProps, Pick<ButtonProps, 'look' | 'icon' | 'reason'> {
  /** The card has been on screen long enough. */
  armed: boolean
  /** The key works and is not drawn. */
  quiet?: boolean
}

/** The way on, at the right, by Ctrl Enter. */
export function AgreeButton({ armed, small = false, quiet = false, ...rest }: AgreeButtonProps) {
  return (
    <Button
      small={small}
      {...(small || quiet ? {} : { keys: 'Ctrl ⏎' })}
      aria-keyshortcuts="Control+Enter"
      {...(armed ? {} : { inactive: true })}
      {...rest}
    />
  )
}
