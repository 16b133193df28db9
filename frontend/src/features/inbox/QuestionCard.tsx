import { Send, ShieldCheck } from 'lucide-react'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useServerName } from '@/features/connexions'
import { SchemaForm } from '@/features/form'
import { FailureNote } from '@/features/vocabulary'
import type { InboxRequest } from '@/lib/api'
import type { JsonObject } from '@/lib/json'
import { Button, Icon } from '@/ui'
import { AgreeButton, RefuseButton } from './CardButtons'
import { CardFrame } from './CardFrame'
import type { RequestCardProps } from './RequestCard'
import { ServerWords } from './ServerWords'
import { asked, focusFirstWrong, useReply, type Reply } from './useReply'
import { useRequestKeys } from './useRequestKeys'

/** A server wants to know something: its words in quotes, its fields, and three answers. */
export function QuestionCard({ card, now, onAnswered, onStep }: RequestCardProps) {
  const { request } = card
  const fields = useRef<HTMLDivElement>(null)
  const reply = useReply(card, onAnswered)
  const waits = request.status === 'waiting'
  const answer = () => {
    if (!reply.answer()) focusFirstWrong(fields.current)
  }
  useRequestKeys({ answers: { deny: reply.decline, once: answer }, waits, onStep })
  return (
    <CardFrame
      card={card}
      now={now}
      answering={reply}
      answers={<ReplyButtons reply={reply} server={request.server} onAnswer={answer} />}
    >
      <div ref={fields}>
        <QuestionContent request={request} reply={reply} />
      </div>
    </CardFrame>
  )
}

/** The server's words, and the fields while they can be filled in. */
export function QuestionContent({ request, reply }: { request: InboxRequest; reply: Reply }) {
  const { t } = useTranslation()
  return (
    <>
      {request.failure && <FailureNote error={request.failure} tone="attn" className="mb-3" />}
      <ServerWords text={asked(request).message} />
      {request.status === 'waiting' && (
        <div className="mt-4">
          <SchemaForm
            form={reply.form}
            value={reply.value}
            tried={reply.tried}
            empty={t('inbox.question.noFields')}
            onChange={(value) => reply.setValue(value as JsonObject)}
          />
          <p className="mt-4 flex items-start gap-2 text-small text-ink-2">
            <Icon of={ShieldCheck} size={16} className="mt-0.5 text-ink-3" />
            {t('inbox.question.noPasswords')}
          </p>
        </div>
      )}
    </>
  )
}

export interface ReplyButtonsProps {
  reply: Reply
  server: string
  onAnswer: () => void
  small?: boolean
}

/** Refuser de répondre at the left; Annuler l'appel and the answer at the right. */
export function ReplyButtons({ reply, server, onAnswer, small = false }: ReplyButtonsProps) {
  const { t } = useTranslation()
  const name = useServerName()(server)
  const blocked = reply.tried && reply.wrong > 0
  return (
    <>
      <RefuseButton small={small} pending={reply.pending} onClick={reply.decline}>
        {t('inbox.question.decline')}
      </RefuseButton>
      <span role="status" className="flex-1 text-right text-caption text-danger-text">
        {blocked && t('server.form.toCorrect', { count: reply.wrong })}
      </span>
      <Button look="ghost" small={small} inactive={reply.pending} onClick={reply.cancel}>
        {t('inbox.question.cancel')}
      </Button>
      <AgreeButton look="primary" icon={Send} small={small} armed={reply.armed} onClick={onAnswer}>
        {t('inbox.question.answer', { name })}
      </AgreeButton>
    </>
  )
}
