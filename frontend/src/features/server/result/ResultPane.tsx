import { Link, useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApprovalInPlace } from '@/features/inbox'
import { lacksSignIn, SignInOffer, subjectOf, wantsSignIn } from '@/features/signin'
import { FailureNote } from '@/features/vocabulary'
import type { Call, Server } from '@/lib/api'
import type { Target } from '@/lib/fillIn'
import { formatDuration } from '@/lib/format'
import { useLang } from '@/lib/i18n'
import { Code, EmptyState, Note, Segmented, Socket, StateWord, type Tone } from '@/ui'
import { rawResult, useCall } from '../queries'
import { outcomeLooks } from './outcomeLooks'
import { outcomeOf, treeValueOf, type Outcome as ResultOutcome } from './result'
import { ResultBody, type ResultView } from './ResultBody'
import { ResultFoot } from './ResultFoot'
import { CancelLine, Running } from './Running'

export interface ResultPaneProps {
  target: Target
  server: Server
  /** The last call; undefined before the first. */
  callId: string | undefined
  /** Why a call could not even be made. */
  failed: Error | undefined
}

/** What a call came to, from "not called yet" to the last byte. */
export function ResultPane({ target, server, callId, failed }: ResultPaneProps) {
  const { t } = useTranslation()
  const call = useCall(callId)
  const [wanted, setWanted] = useState<ResultView>()
  const pane = useRef<HTMLElement>(null)
  const data = call.data
  const view = wanted ?? (data ? firstView(data) : 'text')
  const hasResult = data?.status === 'done' && data.result !== undefined
  return (
    <section
      ref={pane}
      data-pane
      aria-label={t('server.result.title')}
      className="flex min-h-0 flex-1 flex-col bg-surface"
    >
      <div className="flex min-h-11 flex-none flex-wrap items-center gap-2 border-b border-line-subtle px-3.5 py-2">
        <span className="flex-1">
          {data ? <Outcome call={data} /> : <span className="text-small text-ink-3">{t('server.result.title')}</span>}
        </span>
        {hasResult && (
          <Segmented
            small
            label={t('server.result.view')}
            value={view}
            onChange={setWanted}
            segments={(['text', 'tree', 'raw'] as const).map((value) => ({
              value,
              label: t(`server.result.views.${value}`),
            }))}
          />
        )}
      </div>
      <div className="flex min-h-0 flex-1 flex-col overflow-y-auto">
        {failed && <FailureNote error={failed} className="m-3.5" />}
        {call.isError && !failed && <FailureNote error={call.error} className="m-3.5" />}
        {!data && !failed && !call.isError && <NotCalled />}
        {data && <Body call={data} view={view} server={server} />}
      </div>
      {hasResult && <ResultFoot call={data} target={target} />}
    </section>
  )
}

function firstView(call: Call): ResultView {
  const raw = rawResult(call)
  return treeValueOf(call.kind, raw) === raw ? 'text' : 'tree'
}

function Outcome({ call }: { call: Call }) {
  const { t } = useTranslation()
  const lang = useLang()
  const outcome = outcomeOf(call)
  return (
    <span role="status" className="flex items-center gap-2">
      <StateWord {...outcomeLooks[outcome]}>{t(`server.result.outcomes.${outcome}`)}</StateWord>
      {call.status === 'done' && (
        <span className="text-small whitespace-nowrap text-ink-3 tabular-nums">
          {call.result?.meta.cache_hit ? t('server.result.cached') : formatDuration(call.duration_ms, lang)}
        </span>
      )}
    </span>
  )
}

function NotCalled() {
  const { t } = useTranslation()
  return (
    <div className="grid flex-1 place-items-center">
      <EmptyState mark={<Socket shape="off" size={24} />} title={t('server.result.notCalled')}>
        {t('server.result.notCalledMore')}
      </EmptyState>
    </div>
  )
}

function Body({ call, view, server }: { call: Call; view: ResultView; server: Server }) {
  const { t } = useTranslation()
  if (call.status === 'waiting' && call.request_id) {
    return (
      <>
        <ApprovalInPlace requestId={call.request_id} server={server.name} />
        <CancelLine call={call} />
      </>
    )
  }
  if (call.status !== 'done') return <Running call={call} />
  const outcome = outcomeOf(call)
  const edited = call.result?.meta.edited_params !== undefined
  return (
    <>
      {call.error && (
        <FailureNote
          error={outcome === 'cancelled_sent' ? { ...call.error, code: 'canceled_sent' } : call.error}
          tone={failureTone(outcome)}
          className="m-3.5"
        />
      )}
      {isRefusal(outcome) && <WhyLink call={call} />}
      {wantsSignIn(call.error) && <SignInFirst call={call} server={server} />}
      {call.error?.proof && (
        <Code wrap className="mx-3.5 mb-3.5">
          {call.error.proof}
        </Code>
      )}
      {edited && <Note className="m-3.5 mb-0">{t('server.result.edited')}</Note>}
      {call.result && <ResultBody call={call} view={view} />}
    </>
  )
}

/** A call that was stopped by a person's rules or answer; nothing failed. */
function isRefusal(outcome: ResultOutcome): boolean {
  return ['refused_by_rule', 'refused_by_person', 'expired'].includes(outcome)
}

function failureTone(outcome: ResultOutcome): Tone {
  if (outcome === 'cancelled_sent' || outcome === 'unknown') return 'attn'
  return isRefusal(outcome) || outcome === 'cancelled' ? 'neutral' : 'danger'
}

function WhyLink({ call }: { call: Call }) {
  const { t } = useTranslation()
  const { server, name, kind } = call
  return (
    <Link to="/policy" search={{ server, name, kind, caller: 'window' }} className="mx-3.5 self-start text-small">
      {t('server.result.why')}
    </Link>
  )
}

/** A call that the server wants signed in for, in place. */
function SignInFirst({ call, server }: { call: Call; server: Server }) {
  const navigate = useNavigate()
  const fields = () => void navigate({ to: '/servers/$id/edit', params: { id: server.id }, search: { step: 'auth' } })
  const since = new Date(call.started_at).getTime() + call.duration_ms
  return <SignInOffer subject={subjectOf(server)} since={since} elsewhere={lacksSignIn(server)} onFields={fields} />
}
