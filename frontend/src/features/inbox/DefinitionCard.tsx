import { Ban, Check, ScanSearch } from 'lucide-react'
import { Link } from '@tanstack/react-router'
import { Trans, useTranslation } from 'react-i18next'
import { useServerName } from '@/features/connexions'
import { FailureNote, FindingList, useCallerName } from '@/features/vocabulary'
import type { DefinitionChange, InboxRequest } from '@/lib/api'
import { Bone, Button, Note, Skeleton } from '@/ui'
import { RefuseButton } from './CardButtons'
import { CardFrame } from './CardFrame'
import { Changes } from './Changes'
import { useDefinitionChange } from './queries'
import type { RequestCardProps } from './RequestCard'
import { useAnswering, type Answering } from './useAnswering'
import { useArmed } from './useArmed'
import { useRequestKeys } from './useRequestKeys'

/** A tool is no longer what a person accepted: what to look at closely, what changed, and what accepting means. */
export function DefinitionCard({ card, all, now, onAnswered, onStep }: RequestCardProps) {
  const { t } = useTranslation()
  const { request } = card
  const answering = useAnswering(card, onAnswered)
  const change = useDefinitionChange(request.id)
  const waits = request.status === 'waiting'
  const keep = () => answering.send({ approve: false })
  useRequestKeys({ answers: { deny: keep }, waits, onStep })
  return (
    <CardFrame
      card={card}
      now={now}
      answering={answering}
      lead={<Lead request={request} change={change.data} />}
      answers={<Answers request={request} all={all} answering={answering} shown={change.isSuccess} onKeep={keep} />}
    >
      {change.isError && <FailureNote error={change.error} onRetry={() => change.refetch()} className="mt-3" />}
      {change.isPending && <Loading />}
      {change.data && <Found change={change.data} />}
      {change.data && <Changes change={change.data} />}
      {waits && change.data && (
        <section>
          <h3 className="mt-5 mb-1 font-semibold">{t('inbox.definition.if')}</h3>
          <p className="text-ink-2">{t('inbox.definition.consequence')}</p>
        </section>
      )}
    </CardFrame>
  )
}

/** Whose tool it is, since which version, and what is no longer in force. */
function Lead({ request, change }: { request: InboxRequest; change: DefinitionChange | undefined }) {
  const { t } = useTranslation()
  const callerName = useCallerName()
  const server = useServerName()(request.server)
  const { before_version: before = '', after_version: after = '', ended = [] } = change ?? {}
  const versions = before !== '' && after !== '' && before !== after ? 'versions' : 'server'
  return (
    <p className="mt-1 mb-3 text-small text-ink-2">
      <Trans
        i18nKey={`inbox.definition.${versions}`}
        values={{ server, before, after }}
        components={{ b: <b className="font-semibold text-ink" /> }}
      />
      {request.status === 'waiting' && ` ${t('inbox.definition.held')}`}
      {[...new Set(ended.map(callerName))].map((who) => ` ${t('inbox.definition.always', { who })}`)}
    </p>
  )
}

function Found({ change: { findings } }: { change: DefinitionChange }) {
  const { t } = useTranslation()
  if (findings.length === 0) return null
  return (
    <Note tone="attn" icon={ScanSearch} role="note" className="mb-3">
      <b className="font-semibold">{t('findings.title', { count: findings.length })}</b>
      <FindingList findings={findings} />
    </Note>
  )
}

interface AnswersProps {
  request: InboxRequest
  all: readonly InboxRequest[]
  answering: Answering
  /** The change is on screen: what nobody can see cannot be accepted. */
  shown: boolean
  onKeep: () => void
}

/** Garder bloqué at the left; where one is among the changes, and a plain Accepter at the right. */
function Answers({ request, all, answering, shown, onKeep }: AnswersProps) {
  const { t } = useTranslation()
  const armed = useArmed(`${request.id} ${shown}`) && shown && !answering.pending
  return (
    <>
      <RefuseButton icon={Ban} pending={answering.pending} onClick={onKeep}>
        {t('inbox.definition.keep')}
      </RefuseButton>
      <span className="flex-1" />
      <Place request={request} all={all} />
      <Button icon={Check} inactive={!armed} onClick={() => answering.send({ approve: true })}>
        {t('inbox.definition.accept')}
      </Button>
    </>
  )
}

/** Which of the changes that wait this is, and the way to the next one. */
function Place({ request, all }: { request: InboxRequest; all: readonly InboxRequest[] }) {
  const { t } = useTranslation()
  const changes = all
    .filter(({ kind, status }) => kind === 'definition' && status === 'waiting')
    .toSorted((a, b) => Date.parse(a.created_at) - Date.parse(b.created_at))
  const at = changes.findIndex(({ id }) => id === request.id)
  const next = changes[(at + 1) % changes.length]
  if (at < 0 || changes.length < 2 || !next) return null
  return (
    <span className="flex items-center gap-3 px-2 text-small text-ink-2">
      {t('inbox.definition.place', { at: at + 1, count: changes.length })}
      <Link to="/inbox/$id" params={{ id: next.id }} className="font-medium text-ink-2">
        {t('inbox.definition.next')}
      </Link>
    </span>
  )
}

function Loading() {
  const { t } = useTranslation()
  return (
    <Skeleton label={t('inbox.definition.loading')}>
      <div className="space-y-3 py-3">
        {[420, 520, 360].map((width) => (
          <Bone key={width} width={width} height={12} />
        ))}
      </div>
    </Skeleton>
  )
}
