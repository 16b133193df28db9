import { Tabs as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

export interface Tab {
  value: string
  label: ReactNode
  count?: ReactNode
}

export interface TabsProps {
  value: string
  onChange: (value: string) => void
  tabs: readonly Tab[]
  label: string
  /** What stands at the right of the tabs. */
  after?: ReactNode
  children: ReactNode
}

/** Tabs with one panel; use TabPanel for the content. */
export function Tabs({ value, onChange, tabs, label, after, children }: TabsProps) {
  return (
    <Radix.Root value={value} onValueChange={onChange} className="flex min-h-0 flex-1 flex-col">
      <div className="flex items-center gap-5 border-b border-line px-[var(--px)]">
        <Radix.List aria-label={label} className="flex min-w-0 gap-5 overflow-x-auto overflow-y-hidden">
          {tabs.map((tab) => (
            <Radix.Trigger
              key={tab.value}
              value={tab.value}
              className="-mb-px flex h-[55px] flex-none items-center gap-1.5 rounded-t-[4px] border-b-2 border-transparent pt-[7px] pb-[9px] text-[13px] text-ink-2 hover:text-ink data-[state=active]:border-accent data-[state=active]:font-[550] data-[state=active]:text-ink"
            >
              {tab.label}
              {tab.count !== undefined && <span className="text-[11.5px] font-normal text-ink-3">{tab.count}</span>}
            </Radix.Trigger>
          ))}
        </Radix.List>
        {after}
      </div>
      {children}
    </Radix.Root>
  )
}

export function TabPanel({ value, children }: { value: string; children: ReactNode }) {
  return (
    <Radix.Content
      value={value}
      className="flex min-h-0 flex-1 flex-col focus-visible:shadow-[inset_0_0_0_2px_var(--focus)]"
    >
      {children}
    </Radix.Content>
  )
}
