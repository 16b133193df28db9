import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Tile } from '@/ui'

export interface PreferenceRowProps {
  icon: LucideIcon
  name: ReactNode
  note: ReactNode
  /** What is told and done on the right. */
  children?: ReactNode
  /** What follows below, over the whole width beside the icon. */
  below?: ReactNode
}

/** An icon, a name with a sentence, and what can be done about it. */
export function PreferenceRow({ icon, name, note, children, below }: PreferenceRowProps) {
  return (
    <div className="px-3.5 py-3">
      <div className="flex items-center gap-3">
        <Tile icon={icon} className="self-start" />
        <div className="min-w-0 flex-1">
          <div className="font-[550]">{name}</div>
          <div className="text-small text-ink-2">{note}</div>
        </div>
        {children}
      </div>
      {below !== undefined && <div className="mt-3 ml-11 max-sm:ml-0">{below}</div>}
    </div>
  )
}
