import type { LucideIcon } from 'lucide-react'

export interface IconProps {
  of: LucideIcon
  /** Edge in pixels, 16 by default. */
  size?: number
  className?: string
}

/** A decorative lucide icon in the strokes of the design; the word stands beside it. */
export function Icon({ of: Glyph, size = 16, className }: IconProps) {
  return (
    <Glyph
      size={size}
      strokeWidth={size >= 20 ? 1.6 : 1.8}
      aria-hidden
      {...(className === undefined ? {} : { className })}
      style={{ flex: 'none' }}
    />
  )
}
