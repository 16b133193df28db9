import { useNavigate, useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FailureNote } from '@/features/vocabulary'
import { useNow } from '@/lib/useNow'
import { ResizablePanes, Skeleton, SkeletonRow } from '@/ui'
import { Context } from './Context'
import { EmptyInbox } from './EmptyInbox'
import { InboxList } from './InboxList'
import { useRequest, useRequests } from './queries'
import { nextCard, queueOf, stepCard, type Card, type Queue } from './queue'
import { RequestCard } from './RequestCard'
import { useRequestWords } from './useRequestWords'

/** The list of what waits and what was answered, and the open request beside it. id names the request to open. */
export function InboxPage({ id }: { id: string | undefined }) {
  const { t } = useTranslation()
  const now = useNow(1000)
  const requests = useRequests()
  const all = requests.data?.requests ?? []
  const queue = queueOf(all, now)
  const listed = find(queue, id)
  const old = useRequest(id !== undefined && listed === undefined && requests.isSuccess ? id : undefined)
  const card = listed ?? (old.data && { request: old.data, same: [old.data] })
  const navigate = useNavigate()
  const router = useRouter()
  const open = (next: string | undefined) => {
    // An answer is kept while the person may be on the way to another page already.
    if (!router.latestLocation.pathname.startsWith('/inbox')) return
    void navigate(next === undefined ? { to: '/inbox' } : { to: '/inbox/$id', params: { id: next } })
  }
  // The open card is in the address, so that it stays when it is answered elsewhere or a riskier one arrives. None is chosen
  // while the list is asked for: what waited when the page was last open may be answered.
  const first = id === undefined && !requests.isFetching ? queue.waiting[0]?.request.id : undefined
  useEffect(() => {
    if (first !== undefined) void navigate({ to: '/inbox/$id', params: { id: first }, replace: true })
  }, [first, navigate])
  const [given, setGiven] = useState<{ id: string; name: string }>()
  const words = useRequestWords()
  const step = (by: -1 | 1) => open(stepCard([...queue.waiting, ...queue.today], card?.request.id, by))

  if (requests.isPending) return <Loading />
  return (
    <ResizablePanes
      name="inbox"
      width={{ initial: listWidth(), min: 220, max: 460 }}
      edgeLabel={t('inbox.edge')}
      pane={<InboxList queue={queue} open={card?.request.id} now={now} />}
    >
      <p role="status" className="sr-only">
        {given && <span key={given.id}>{t('inbox.given', { name: given.name })}</span>}
      </p>
      {requests.isError && <FailureNote error={requests.error} onRetry={() => requests.refetch()} className="m-5" />}
      {card ? (
        <div className="flex min-h-0 flex-1">
          <RequestCard
            key={card.request.id}
            card={card}
            all={all}
            now={now}
            onAnswered={(answered) => {
              setGiven({ id: answered.request.id, name: words.what(answered) })
              open(nextCard(queue.waiting, answered.request.id))
            }}
            onStep={step}
          />
          {card.request.kind !== 'definition' && <Context request={card.request} all={all} />}
        </div>
      ) : (
        (id !== undefined || queue.waiting.length === 0) &&
        !requests.isError && <EmptyInbox queue={queue} lost={id !== undefined && old.isError} />
      )}
    </ResizablePanes>
  )
}

function Loading() {
  const { t } = useTranslation()
  return (
    <>
      <h1 className="px-4 pt-[18px] pb-2.5 text-title font-semibold tracking-[-.012em]">{t('inbox.title')}</h1>
      <Skeleton label={t('inbox.title')}>
        <div className="w-[284px]">
          {[110, 90, 130, 100].map((width) => (
            <SkeletonRow key={width} name={width} note={width + 40} />
          ))}
        </div>
      </Skeleton>
    </>
  )
}

function find(queue: Queue, id: string | undefined): Card | undefined {
  return [...queue.waiting, ...queue.today].find((card) => card.same.some((request) => request.id === id))
}

function listWidth(): number {
  return window.innerWidth >= 1400 ? 339 : window.innerWidth < 960 ? 235 : 283
}
