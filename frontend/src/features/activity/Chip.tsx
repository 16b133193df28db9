import clsx from 'clsx'
import { ChevronDown, X } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon, Popover } from '@/ui'

export interface ChipProps {
  /** What it filters by; also the accessible name of its panel. */
  name: string
  /** The words on the chip. */
  children: ReactNode
  on: boolean
  onDrop: () => void
  /** What can be chosen; close ends the choice. */
  panel: (close: () => void) => ReactNode
  panelClassName: string
}

/** A filter on the page: its words open its choices, its cross drops it. */
export function Chip({ name, children, on, onDrop, panel, panelClassName }: ChipProps) {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  return (
    <span
      className={clsx(
        'inline-flex h-7 items-center rounded-[14px] border text-small',
        on ? 'border-accent-line bg-selected text-ink' : 'border-line bg-surface text-ink-2',
      )}
    >
      <Popover
        open={open}
        onOpenChange={setOpen}
        label={name}
        className={panelClassName}
        trigger={
          <button
            type="button"
            className={clsx(
              'flex h-full items-center gap-1.5 rounded-[14px] pl-2.5',
              on ? 'pr-1 font-medium' : 'pr-2.5',
            )}
          >
            {children}
            {!on && <Icon of={ChevronDown} size={13} />}
          </button>
        }
      >
        {panel(() => setOpen(false))}
      </Popover>
      {on && (
        <button
          type="button"
          aria-label={t('activity.filters.drop', { name })}
          className="mr-0.5 grid size-6 place-items-center rounded-full hover:bg-hover"
          onClick={onDrop}
        >
          <Icon of={X} size={13} />
        </button>
      )}
    </span>
  )
}
