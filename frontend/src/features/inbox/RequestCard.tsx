import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useServers } from '@/features/connexions'
import { useFailureWords } from '@/features/vocabulary'
import { formatElapsed } from '@/lib/format'
import { useLang } from '@/lib/i18n'
import type { InboxRequest } from '@/lib/api'
import { Button, Note, PageFoot } from '@/ui'
import { AnswerWords } from './AnswerWords'
import { ArgumentsView } from './ArgumentsView'
import { DecisionButtons, useAlwaysPanel } from './DecisionButtons'
import { earlierOf } from './earlier'
import { Question } from './Question'
import type { Card } from './queue'
import { RequestRoute } from './RequestRoute'
import { RiskNote } from './RiskNote'
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
export function RequestCard({ card, all, now, onAnswered, onStep }: RequestCardProps) {
  const { t } = useTranslation()
  const { request } = card
  const title = useRef<HTMLHeadingElement>(null)
  const decision = useDecision(card, onAnswered)
  const [alwaysOpen, setAlwaysOpen] = useAlwaysPanel(request.id)
  const waits = request.status === 'waiting'
  useRequestKeys({ decision, waits, onAlways: () => setAlwaysOpen(true), onStep })
  useEffect(() => {
    title.current?.focus()
  }, [request.id])
  return (
    <article
      data-pane
      aria-labelledby="request-title"
      className="flex min-h-0 min-w-0 flex-1 flex-col bg-surface [--wire-ground:var(--bg-surface)]"
    >
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="max-w-[760px] px-[26px] pt-5 pb-4 max-md:px-5 max-md:pt-4 lg:px-9 lg:pt-7">
          <Head request={request} now={now} />
          <h2
            id="request-title"
            ref={title}
            tabIndex={-1}
            className="mt-1.5 mb-0.5 text-[18px] leading-[26px] font-semibold tracking-[-.01em] break-words"
          >
            <Question request={request} />
            {card.same.length > 1 && (
              <span className="ml-2 font-normal text-ink-3">{t('inbox.times', { count: card.same.length })}</span>
            )}
          </h2>
          {card.same.length > 1 && <p className="text-ink-2">{t('inbox.same', { count: card.same.length })}</p>}
          <RequestRoute request={request} />
          <Body request={request} decision={decision} all={all} />
        </div>
      </div>
      <Saving decision={decision} />
      {waits && (
        <PageFoot className="flex-wrap px-[26px]! max-md:px-5! lg:pr-[max(36px,calc(100%-724px))]! lg:pl-9!">
          <DecisionButtons request={request} decision={decision} alwaysOpen={alwaysOpen} onAlways={setAlwaysOpen} />
        </PageFoot>
      )}
    </article>
  )
}

function Head({ request, now }: { request: InboxRequest; now: Date }) {
  const { t } = useTranslation()
  const lang = useLang()
  const since = formatElapsed(now.getTime() - Date.parse(request.created_at), lang)
  const left = request.expires_at ? Date.parse(request.expires_at) - now.getTime() : undefined
  return (
    <div className="flex items-center gap-2 text-small text-ink-3">
      <span className="font-medium text-attn-text">{t(`inbox.kinds.${request.kind}`)}</span>
      <span className="flex-1" />
      {request.status === 'waiting' ? (
        <span>
          {t('inbox.since', { span: since })}
          {left !== undefined &&
            `, ${t('inbox.expires', { when: t('inbox.in', { span: formatElapsed(left, lang) }) })}`}
        </span>
      ) : (
        <AnswerWords request={request} />
      )}
    </div>
  )
}

function Body({ request, decision, all }: { request: InboxRequest; decision: Decision; all: readonly InboxRequest[] }) {
  const { t } = useTranslation()
  const server = useServers().data?.find(({ id }) => id === request.server)?.name ?? request.server
  if (request.kind !== 'tool') return <Note>{t('inbox.unsupported')}</Note>
  return (
    <>
      <RiskNote request={request} server={server} />
      <ArgumentsView request={request} draft={decision.draft} onDraft={decision.setDraft} />
      {request.answer?.params !== undefined && <Note className="mt-2">{t('inbox.editedByPerson')}</Note>}
      {request.status === 'waiting' && <Why request={request} server={server} earlier={earlierOf(request, all)} />}
    </>
  )
}

/** A decision that was not kept, said at once to everyone. */
function Saving({ decision }: { decision: Decision }) {
  const { t } = useTranslation()
  const words = useFailureWords()
  if (!decision.error) return null
  const { what, fix } = words(decision.error)
  return (
    <div
      role="alert"
      className="flex items-center gap-3 border-t border-danger-line bg-danger-soft px-[26px] py-2 text-small max-md:px-5 lg:px-9"
    >
      <span className="min-w-0 flex-1">
        <b className="font-semibold">{t('inbox.notSaved')}</b> {`${what} ${fix}`}
      </span>
      <Button small onClick={decision.retry}>
        {t('common.retry')}
      </Button>
    </div>
  )
}
