import { Link } from '@tanstack/react-router'
import { useEffect, useRef, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { FailureNote } from '@/features/vocabulary'
import type { InboxRequest } from '@/lib/api'
import { Socket } from '@/ui'
import { ArgumentsView } from './ArgumentsView'
import { DecisionButtons, useAlwaysPanel } from './DecisionButtons'
import { earlierOf } from './earlier'
import { useShownInPlace } from './InPlace'
import { requestKey } from './keys'
import { useRequest, useRequests } from './queries'
import { Question } from './Question'
import { RiskNote } from './RiskNote'
import { useDecision } from './useDecision'
import { isTyping, perform } from './useRequestKeys'
import { Why } from './Why'

/** The approval of a call where the call was made: the same answers and keys as in the inbox. */
export function ApprovalInPlace({ requestId, server }: { requestId: string; server: string }) {
  const request = useRequest(requestId)
  if (request.isError) return <FailureNote error={request.error} className="m-3.5" />
  return request.data ? <Asked request={request.data} server={server} /> : null
}

function Asked({ request, server }: { request: InboxRequest; server: string }) {
  const { t } = useTranslation()
  const title = useRef<HTMLHeadingElement>(null)
  const decision = useDecision({ request, same: [request] }, () => undefined)
  const [alwaysOpen, setAlwaysOpen] = useAlwaysPanel(request.id)
  const all = useRequests().data?.requests ?? []
  useShownInPlace(request.id)
  useEffect(() => {
    title.current?.focus()
  }, [])
  const press = (event: KeyboardEvent) => {
    const key = requestKey({ ...pick(event) }, isTyping(event.target), false)
    if (key === undefined || event.defaultPrevented) return
    event.preventDefault()
    event.stopPropagation()
    perform(key, {
      decision,
      waits: request.status === 'waiting',
      onAlways: () => setAlwaysOpen(true),
      onStep: () => undefined,
    })
  }
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys repeat what the buttons do
    <section
      aria-labelledby="asked-title"
      onKeyDown={press}
      className="m-3.5 rounded-[9px] border border-attn-line bg-attn-soft"
    >
      <div className="px-3.5 pt-3">
        <h3 id="asked-title" ref={title} tabIndex={-1} className="mb-2 flex items-center gap-2 font-semibold">
          <Socket shape="hold" tone="attn" />
          <span className="min-w-0 break-words">
            <Question request={request} />
          </span>
        </h3>
        <div className="[&>div]:bg-surface!">
          <RiskNote request={request} server={server} />
        </div>
        <ArgumentsView request={request} draft={decision.draft} onDraft={decision.setDraft} />
        <Why request={request} server={server} earlier={earlierOf(request, all)} />
        {decision.error && <FailureNote error={decision.error} className="mt-2" />}
      </div>
      <div className="@container px-3.5 py-3">
        <div className="flex items-center gap-2 @max-[420px]:grid @max-[420px]:grid-cols-2">
          <DecisionButtons
            small
            request={request}
            decision={decision}
            alwaysOpen={alwaysOpen}
            onAlways={setAlwaysOpen}
          />
        </div>
      </div>
      <div className="border-t border-attn-line px-3.5 py-2 text-small">
        <Link to="/inbox/$id" params={{ id: request.id }}>
          {t('inbox.inPlace.open')}
        </Link>
      </div>
    </section>
  )
}

function pick({ key, code, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent) {
  return { key, code, ctrlKey, metaKey, altKey, shiftKey }
}
