import clsx from 'clsx'
import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { Icon } from './Icon'

export interface DialogProps {
  open: boolean
  onClose: () => void
  title: ReactNode
  /** One or two sentences under the title. */
  description?: ReactNode
  children?: ReactNode
  /** Buttons at the bottom; the first in the document gets the focus unless one asks for it. */
  actions?: ReactNode
  className?: string
}

const scrim = 'fixed inset-0 z-40 animate-fade bg-scrim'

/** A question over the page. Escape closes it and gives the focus back. */
export function Dialog({ open, onClose, title, description, children, actions, className }: DialogProps) {
  return (
    <Radix.Root open={open} onOpenChange={(next) => next || onClose()}>
      <Radix.Portal>
        <Radix.Overlay className={scrim} />
        <Radix.Content
          {...(description === undefined ? { 'aria-describedby': undefined } : {})}
          className={clsx(
            'fixed top-1/2 left-1/2 z-50 flex max-h-[calc(100vh-48px)] w-[min(480px,calc(100vw-32px))] -translate-x-1/2 -translate-y-1/2 animate-fade flex-col rounded-dialog bg-raised shadow-dialog focus-visible:shadow-dialog',
            className,
          )}
        >
          <div className="px-5 pt-[18px] pb-3">
            <Radix.Title className="text-lead font-semibold">{title}</Radix.Title>
            {description !== undefined && (
              <Radix.Description className="mt-1 text-small text-ink-2">{description}</Radix.Description>
            )}
          </div>
          {children !== undefined && <div className="min-h-0 flex-1 overflow-y-auto px-5 pb-4">{children}</div>}
          {actions && <div className="flex justify-end gap-2 px-5 pt-1 pb-[18px]">{actions}</div>}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

export interface DrawerProps {
  open: boolean
  onClose: () => void
  title: ReactNode
  closeLabel: string
  children: ReactNode
  foot?: ReactNode
  /** Leaves the page beside it usable. */
  beside?: boolean
}

/** A panel from the right edge, 400 px wide. */
export function Drawer({ open, onClose, title, closeLabel, children, foot, beside = false }: DrawerProps) {
  return (
    <Radix.Root open={open} onOpenChange={(next) => next || onClose()} modal={!beside}>
      <Radix.Portal>
        {!beside && <Radix.Overlay className={scrim} />}
        <Radix.Content
          aria-describedby={undefined}
          onInteractOutside={(event) => {
            if (beside) event.preventDefault()
          }}
          className="fixed inset-y-0 right-0 z-40 flex w-[min(var(--w-drawer),100vw)] animate-slide flex-col bg-raised shadow-dialog"
        >
          <div className="flex items-center gap-2 py-3 pr-3 pl-[18px]">
            <Radix.Title className="min-w-0 flex-1 truncate text-lead font-semibold">{title}</Radix.Title>
            <Radix.Close
              aria-label={closeLabel}
              className="grid size-7 place-items-center rounded-control text-ink-3 hover:bg-hover"
            >
              <Icon of={X} />
            </Radix.Close>
          </div>
          <div className="min-h-0 flex-1 overflow-y-auto px-[18px] pb-3.5">{children}</div>
          {foot}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
