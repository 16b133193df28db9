import { Send } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useServerName } from '@/features/connexions'
import type { InboxRequest } from '@/lib/api'
import { Button } from '@/ui'
import { AgreeButton, RefuseButton } from './CardButtons'
import { CardFrame } from './CardFrame'
import type { RequestCardProps } from './RequestCard'
import { TextContent } from './TextContent'
import { TextRoute } from './TextRoute'
import { useRequestKeys } from './useRequestKeys'
import { useText, type TextDecision } from './useText'

/** A server wants a text of the model, or the model has given it: the exact words, and who may have them. */
export function TextCard({ card, now, onAnswered, onStep }: RequestCardProps) {
  const { request } = card
  const text = useText(card, onAnswered)
  useRequestKeys({ answers: textKeys(request, text), waits: request.status === 'waiting', onStep })
  return (
    <CardFrame
      card={card}
      now={now}
      answering={text}
      answers={<TextButtons request={request} text={text} />}
      lead={<TextRoute request={request} model={text.outlook?.model} />}
    >
      <TextContent request={request} text={text} />
    </CardFrame>
  )
}

export const textKeys = (request: InboxRequest, text: TextDecision) => ({
  deny: text.deny,
  once: () => text.send('once'),
  ...(request.text_for === undefined ? { session: () => text.send('session') } : {}),
})

/** Refuser at the left; Pour cette session and the way on at the right. */
export function TextButtons({
  request,
  text,
  small = false,
}: {
  request: InboxRequest
  text: TextDecision
  small?: boolean
}) {
  const { t } = useTranslation()
  const name = useServerName()(request.server)
  const isAnswer = request.text_for !== undefined
  return (
    <>
      <RefuseButton small={small} pending={text.pending} onClick={text.deny}>
        {t('inbox.answers.deny')}
      </RefuseButton>
      <span className="flex-1" />
      {!isAnswer && (
        <Button small={small} aria-keyshortcuts="Alt+S" inactive={!text.armed} onClick={() => text.send('session')}>
          {t('inbox.answers.session')}
        </Button>
      )}
      <AgreeButton look="primary" icon={Send} small={small} quiet armed={text.armed} onClick={() => text.send('once')}>
        {isAnswer ? t('inbox.text.give', { name }) : t('inbox.text.send')}
      </AgreeButton>
    </>
  )
}
