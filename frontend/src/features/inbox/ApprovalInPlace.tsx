import { Link } from '@tanstack/react-router'
import { useEffect, useRef, type KeyboardEvent, type ReactNode, type Ref } from 'react'
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
import { PageButtons } from './PageCard'
import { PageContent } from './PageContent'
import { Question } from './Question'
import { QuestionContent, ReplyButtons } from './QuestionCard'
import { RiskNote } from './RiskNote'
import { TextButtons, textKeys } from './TextCard'
import { TextContent } from './TextContent'
import { useDecision } from './useDecision'
import { focusFirstWrong, useReply } from './useReply'
import { usePage } from './usePage'
import { isTyping, perform, type RequestKeysOptions } from './useRequestKeys'
import { useText } from './useText'
import { Why } from './Why'

/** The approval of a call where the call was made: the same answers and keys as in the inbox. */
export function ApprovalInPlace({ requestId, server }: { requestId: string; server: string }) {
  const request = useRequest(requestId)
  if (request.isError) return <FailureNote error={request.error} className="m-3.5" />
  if (!request.data) return null
  switch (request.data.kind) {
    case 'elicitation_form':
      return <AskedQuestion request={request.data} />
    case 'elicitation_url':
      return <AskedPage request={request.data} />
    case 'sampling':
      return <AskedText request={request.data} />
    default:
      return <Asked request={request.data} server={server} />
  }
}

/** The question of a server where the call was made. */
function AskedQuestion({ request }: { request: InboxRequest }) {
  const reply = useReply({ request, same: [request] }, () => undefined)
  const section = useRef<HTMLElement>(null)
  const answer = () => {
    if (!reply.answer()) focusFirstWrong(section.current)
  }
  return (
    <InPlaceFrame
      frame={section}
      request={request}
      error={reply.error}
      answers={{ deny: reply.decline, once: answer }}
      buttons={<ReplyButtons small reply={reply} server={request.server} onAnswer={answer} />}
    >
      <QuestionContent request={request} reply={reply} />
    </InPlaceFrame>
  )
}

/** A page that a server wants opened, where the call was made. */
function AskedPage({ request }: { request: InboxRequest }) {
  const page = usePage({ request, same: [request] }, () => undefined)
  return (
    <InPlaceFrame
      request={request}
      error={page.error}
      answers={{ deny: page.decline, once: page.agree }}
      buttons={<PageButtons small request={request} page={page} />}
    >
      <PageContent request={request} reopen={page.reopen} />
    </InPlaceFrame>
  )
}

/** The text that a server asks for, where the call was made. */
function AskedText({ request }: { request: InboxRequest }) {
  const text = useText({ request, same: [request] }, () => undefined)
  return (
    <InPlaceFrame
      request={request}
      error={text.error}
      answers={textKeys(request, text)}
      buttons={<TextButtons small request={request} text={text} />}
    >
      <TextContent request={request} text={text} />
    </InPlaceFrame>
  )
}

function Asked({ request, server }: { request: InboxRequest; server: string }) {
  const decision = useDecision({ request, same: [request] }, () => undefined)
  const [alwaysOpen, setAlwaysOpen] = useAlwaysPanel(request.id)
  const all = useRequests().data?.requests ?? []
  return (
    <InPlaceFrame
      request={request}
      error={decision.error}
      answers={{
        deny: decision.deny,
        once: () => decision.approve('once'),
        session: () => decision.approve('session'),
        always: () => setAlwaysOpen(true),
      }}
      buttons={
        <DecisionButtons small request={request} decision={decision} alwaysOpen={alwaysOpen} onAlways={setAlwaysOpen} />
      }
    >
      <div className="[&>div]:bg-surface!">
        <RiskNote request={request} server={server} />
      </div>
      <ArgumentsView request={request} draft={decision.draft} onDraft={decision.setDraft} />
      <Why request={request} server={server} earlier={earlierOf(request, all)} />
    </InPlaceFrame>
  )
}

interface InPlaceFrameProps {
  request: InboxRequest
  /** Why an answer was not kept. */
  error: Error | undefined
  answers: RequestKeysOptions['answers']
  buttons: ReactNode
  children: ReactNode
  frame?: Ref<HTMLElement>
}

/** What a request needs where its call was made, with its keys, and the way to its card. */
function InPlaceFrame({ request, error, answers, buttons, children, frame }: InPlaceFrameProps) {
  const { t } = useTranslation()
  const title = useRef<HTMLHeadingElement>(null)
  useShownInPlace(request.id)
  useEffect(() => {
    title.current?.focus()
  }, [])
  const press = (event: KeyboardEvent) => {
    const key = requestKey({ ...pick(event) }, isTyping(event.target), false)
    if (key === undefined || event.defaultPrevented) return
    event.preventDefault()
    event.stopPropagation()
    perform(key, { answers, waits: request.status === 'waiting', onStep: () => undefined })
  }
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys repeat what the buttons do
    <section
      ref={frame ?? null}
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
        {children}
        {error && <FailureNote error={error} className="mt-2" />}
      </div>
      <div className="@container px-3.5 py-3">
        <div className="flex items-center gap-2 @max-[420px]:grid @max-[420px]:grid-cols-2">{buttons}</div>
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
