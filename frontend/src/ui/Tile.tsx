import clsx from 'clsx'
import type { LucideIcon } from 'lucide-react'
import { Icon } from './Icon'

const sizes = { small: 'size-6 rounded-control', medium: 'size-8 rounded-lg', large: 'size-10 rounded-card' }
const glyphs = { small: 14, medium: 17, large: 20 }

/** The framed icon of a server, a client or a way. */
export function Tile({
  icon,
  size = 'medium',
  className,
}: {
  icon: LucideIcon
  size?: keyof typeof sizes
  className?: string
}) {
  return (
    <span
      className={clsx(
        'grid flex-none place-items-center border border-line bg-canvas text-ink-2',
        sizes[size],
        className,
      )}
    >
      <Icon of={icon} size={glyphs[size]} />
    </span>
  )
}
