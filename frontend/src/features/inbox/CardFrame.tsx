import { useEffect, useRef, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useFailureWords } from '@/features/vocabulary'
import type { InboxRequest } from '@/lib/api'
import { formatElapsed } from '@/lib/format'
import { useLang } from '@/lib/i18n'
import { Button, PageFoot } from '@/ui'
import { AnswerWords } from './AnswerWords'
import { Question } from './Question'
import type { Card } from './queue'
import { RequestRoute } from './RequestRoute'
import type { Answering } from './useAnswering'

export interface CardFrameProps {
  card: Card
  now: Date
  answering: Pick<Answering, 'error' | 'retry'>
  /** What stands under the question, in place of the route from who asks to who answers. */
  lead?: ReactNode
  /** The exact content, and why a person is asked. */
  children: ReactNode
  /** The answers, while the request waits. */
  answers: ReactNode
}

/** What every card has, in the same order: its kind and age, the question, the route, the content, the answers. */
export function CardFrame({ card, now, answering, lead, children, answers }: CardFrameProps) {
  const { t } = useTranslation()
  const { request, same } = card
  const title = useRef<HTMLHeadingElement>(null)
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
            {same.length > 1 && (
              <span className="ml-2 font-normal text-ink-3">{t('inbox.times', { count: same.length })}</span>
            )}
          </h2>
          {same.length > 1 && <p className="text-ink-2">{t('inbox.same', { count: same.length })}</p>}
          {lead ?? <RequestRoute request={request} />}
          {children}
        </div>
      </div>
      <Saving answering={answering} />
      {request.status === 'waiting' && (
        <PageFoot className="flex-wrap px-[26px]! max-md:px-5! lg:pr-[max(36px,calc(100%-724px))]! lg:pl-9!">
          {answers}
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
      <span className="font-medium text-attn-text">{t(`inbox.kinds.${kindOf(request)}`)}</span>
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

/** A decision that was not kept, said at once to everyone. */
function Saving({ answering }: { answering: CardFrameProps['answering'] }) {
  const { t } = useTranslation()
  const words = useFailureWords()
  if (!answering.error) return null
  const { what, fix } = words(answering.error)
  return (
    <div
      role="alert"
      className="flex items-center gap-3 border-t border-danger-line bg-danger-soft px-[26px] py-2 text-small max-md:px-5 lg:px-9"
    >
      <span className="min-w-0 flex-1">
        <b className="font-semibold">{t('inbox.notSaved')}</b> {`${what} ${fix}`}
      </span>
      <Button small onClick={answering.retry}>
        {t('common.retry')}
      </Button>
    </div>
  )
}

/** What was not there before is nothing that changed. */
const kindOf = ({ kind, params }: InboxRequest) =>
  kind === 'definition' && params?.before === undefined ? 'newDefinition' : kind
