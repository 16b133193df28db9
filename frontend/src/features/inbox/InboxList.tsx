import { KeyRound } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { StandingApprovals, useApprovals } from '@/features/policy'
import { Icon } from '@/ui'
import { InboxRow } from './InboxRow'
import type { Card, Queue } from './queue'

export interface InboxListProps {
  queue: Queue
  /** The id of the card that is open. */
  open: string | undefined
  now: Date
}

export function InboxList({ queue, open, now }: InboxListProps) {
  const { t } = useTranslation()
  return (
    <nav aria-label={t('inbox.list')} data-pane className="flex min-h-0 flex-1 flex-col">
      <header className="px-4 pt-[18px] pb-2.5">
        <h1 tabIndex={-1} className="text-title font-semibold tracking-[-.012em]">
          {t('inbox.title')}
        </h1>
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto pb-3">
        <Section title={t('inbox.waiting')} cards={queue.waiting} open={open} now={now} />
        <Section title={t('inbox.today')} cards={queue.today} open={open} now={now} />
      </div>
      <Approvals />
    </nav>
  )
}

function Section({
  title,
  cards,
  open,
  now,
}: {
  title: ReactNode
  cards: readonly Card[]
  open: string | undefined
  now: Date
}) {
  if (cards.length === 0) return null
  const count = cards.reduce((sum, card) => sum + card.same.length, 0)
  return (
    <section className="mt-[18px] first:mt-0.5">
      <h2 className="mx-[18px] mb-1.5 flex gap-2 text-small font-medium text-ink-2">
        {title} <span className="font-normal text-ink-3">{count}</span>
      </h2>
      <ul>
        {cards.map((card) => (
          <li key={card.request.id}>
            <InboxRow card={card} open={card.same.some((request) => request.id === open)} now={now} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Approvals() {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  const approvals = useApprovals()
  return (
    <div className="flex items-center gap-2 px-4 py-3 text-small text-ink-2">
      <Icon of={KeyRound} size={15} className="text-ink-3" />
      <button type="button" className="rounded-badge text-accent-text hover:underline" onClick={() => setOpen(true)}>
        {t('inbox.approvals', { count: approvals.data?.length ?? 0 })}
      </button>
      <StandingApprovals open={open} onClose={() => setOpen(false)} />
    </div>
  )
}
