import { SaveOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { Icon, Logo } from '@/ui'

export interface WizardFrameProps {
  /** Two lines beside the logo: what the wizard does. */
  purpose: ReactNode
  steps: ReactNode
  /** Said at the foot of the steps. */
  promise?: ReactNode
  title: ReactNode
  /** Beside the title. */
  badge?: ReactNode
  lead: ReactNode
  foot: ReactNode
  children: ReactNode
}

/** A focused page: the steps on their wire at the left; title, content and decisions at the right. */
export function WizardFrame({ purpose, steps, promise, title, badge, lead, foot, children }: WizardFrameProps) {
  return (
    <div className="grid h-full grid-cols-[236px_minmax(0,1fr)] max-md:grid-cols-[200px_minmax(0,1fr)] max-sm:grid-cols-[minmax(0,1fr)] max-sm:grid-rows-[auto_minmax(0,1fr)]">
      <aside data-pane className="flex flex-col bg-window pt-[18px] pr-4 pb-4 pl-5 max-sm:px-5 max-sm:py-2.5">
        <div className="mb-[22px] flex items-center gap-[9px] max-sm:hidden">
          <Logo size={26} />
          <div className="flex min-h-[34px] items-center leading-[17px] font-medium">{purpose}</div>
        </div>
        {steps}
        {promise !== undefined && (
          <div className="mt-auto flex gap-2.5 px-1 text-[12px] leading-[17px] text-ink-3 max-sm:hidden">
            <Icon of={SaveOff} size={15} className="mt-px" />
            <span>{promise}</span>
          </div>
        )}
      </aside>
      <main
        data-pane
        className="flex min-h-0 min-w-0 flex-col border-l border-line bg-canvas max-sm:border-t max-sm:border-l-0"
      >
        <header className="px-[var(--wx)] pt-5 pb-3 [&>*]:max-w-[1000px]">
          <div className="flex items-center gap-2.5">
            <h1 tabIndex={-1} className="text-title font-semibold tracking-[-.012em]">
              {title}
            </h1>
            {badge}
          </div>
          <div className="text-small text-ink-2">{lead}</div>
        </header>
        <div className="min-h-0 flex-1 animate-fade overflow-y-auto px-[var(--wx)] pt-0.5 pb-5 [&>*]:max-w-[1000px]">
          {children}
        </div>
        <footer className="flex flex-wrap items-center gap-2 border-t border-line bg-surface px-[var(--wx)] py-3">
          {foot}
        </footer>
      </main>
    </div>
  )
}
