import clsx from 'clsx'
import type { LucideIcon } from 'lucide-react'
import { DropdownMenu as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { Icon } from './Icon'

export interface MenuItem {
  label: ReactNode
  icon?: LucideIcon
  onSelect: () => void
  danger?: boolean
  inactive?: boolean
  /** Keys at the right. */
  keys?: ReactNode
  /** A line above this item. */
  apart?: boolean
}

export interface MenuProps {
  /** The button that opens it. */
  trigger: ReactNode
  items: readonly MenuItem[]
  open?: boolean
  onOpenChange?: (open: boolean) => void
  align?: 'start' | 'end'
}

export function Menu({ trigger, items, open, onOpenChange, align = 'end' }: MenuProps) {
  return (
    <Radix.Root {...(open === undefined ? {} : { open })} {...(onOpenChange ? { onOpenChange } : {})} modal={false}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align={align}
          sideOffset={4}
          collisionPadding={8}
          className="z-50 min-w-[200px] animate-rise rounded-lg bg-raised p-1 shadow-menu"
        >
          {items.map((item, n) => (
            <MenuRow key={n} item={item} first={n === 0} />
          ))}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

function MenuRow({ item, first }: { item: MenuItem; first: boolean }) {
  return (
    <>
      {item.apart && !first && <Radix.Separator className="mx-2 my-1 h-px bg-line-subtle" />}
      <Radix.Item
        onSelect={item.onSelect}
        {...(item.inactive ? { disabled: true } : {})}
        className={clsx(
          'flex h-8 items-center gap-2.5 rounded-control px-2 text-[13px] outline-none data-[disabled]:opacity-50 data-[highlighted]:bg-selected',
          item.danger ? 'text-danger-text' : 'text-ink',
        )}
      >
        {item.icon && <Icon of={item.icon} size={15} className={item.danger ? '' : 'text-ink-3'} />}
        <span className="flex-1">{item.label}</span>
        {item.keys !== undefined && <span className="pl-4 text-caption text-ink-3">{item.keys}</span>}
      </Radix.Item>
    </>
  )
}
