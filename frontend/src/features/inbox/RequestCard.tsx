import { useTranslation } from 'react-i18next'
import { useServerName } from '@/features/connexions'
import type { InboxRequest } from '@/lib/api'
import { Note } from '@/ui'
import { ArgumentsView } from './ArgumentsView'
import { CardFrame } from './CardFrame'
import { DecisionButtons, useAlwaysPanel } from './DecisionButtons'
import { DefinitionCard } from './DefinitionCard'
import { earlierOf } from './earlier'
import { isToolChange } from './ended'
import { PageCard } from './PageCard'
import { QuestionCard } from './QuestionCard'
import type { Card } from './queue'
import { RiskNote } from './RiskNote'
import { SetupCard } from './SetupCard'
import { TextCard } from './TextCard'
import { useDecision, type Decision } from './useDecision'
import { useRequestKeys } from './useRequestKeys'
import { Why } from './Why'

export interface RequestCardProps {
  card: Card
  all: readonly InboxRequest[]
  now: Date
  onAnswered: (card: Card) => void
  onStep: (by: -1 | 1) => void
}

/** One request with everything needed to decide about it, and the answers at the bottom. */
export function RequestCard(props: RequestCardProps) {
  switch (props.card.request.kind) {
    case 'elicitation_form':
      return <QuestionCard {...props} />
    case 'elicitation_url':
      return <PageCard {...props} />
    case 'sampling':
      return <TextCard {...props} />
    case 'definition':
      return isToolChange(props.card.request) ? <DefinitionCard {...props} /> : <SetupCard {...props} />
    case 'tool':
      return <ApprovalCard {...props} />
  }
}

function ApprovalCard({ card, all, now, onAnswered, onStep }: RequestCardProps) {
  const { request } = card
  const decision = useDecision(card, onAnswered)
  const [alwaysOpen, setAlwaysOpen] = useAlwaysPanel(request.id)
  useRequestKeys({
    answers: {
      deny: decision.deny,
      once: () => decision.approve('once'),
      session: () => decision.approve('session'),
      always: () => setAlwaysOpen(true),
    },
    waits: request.status === 'waiting',
    onStep,
  })
  return (
    <CardFrame
      card={card}
      now={now}
      answering={decision}
      answers={
        <DecisionButtons request={request} decision={decision} alwaysOpen={alwaysOpen} onAlways={setAlwaysOpen} />
      }
    >
      <Body request={request} decision={decision} all={all} />
    </CardFrame>
  )
}

function Body({ request, decision, all }: { request: InboxRequest; decision: Decision; all: readonly InboxRequest[] }) {
  const { t } = useTranslation()
  const server = useServerName()(request.server)
  return (
    <>
      <RiskNote request={request} server={server} />
      <ArgumentsView request={request} draft={decision.draft} onDraft={decision.setDraft} />
      {request.answer?.params !== undefined && <Note className="mt-2">{t('inbox.editedByPerson')}</Note>}
      {request.status === 'waiting' && <Why request={request} server={server} earlier={earlierOf(request, all)} />}
    </>
  )
}
