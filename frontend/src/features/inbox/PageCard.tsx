import { ExternalLink } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { InboxRequest } from '@/lib/api'
import { Button } from '@/ui'
import { AgreeButton, RefuseButton } from './CardButtons'
import { CardFrame } from './CardFrame'
import { PageContent } from './PageContent'
import type { RequestCardProps } from './RequestCard'
import { usePage, type PageReply } from './usePage'
import { useRequestKeys } from './useRequestKeys'

/** A server wants a page opened: where it really leads, and what speaks against it. */
export function PageCard({ card, now, onAnswered, onStep }: RequestCardProps) {
  const { request } = card
  const page = usePage(card, onAnswered)
  useRequestKeys({
    answers: { deny: page.decline, once: page.agree },
    waits: request.status === 'waiting',
    onStep,
  })
  return (
    <CardFrame card={card} now={now} answering={page} answers={<PageButtons request={request} page={page} />}>
      <PageContent request={request} reopen={page.reopen} />
    </CardFrame>
  )
}

export interface PageButtonsProps {
  request: InboxRequest
  page: PageReply
  small?: boolean
}

/** Refuser at the left; Annuler l'appel and the opening at the right, which is never the filled button. */
export function PageButtons({ request, page, small = false }: PageButtonsProps) {
  const { t } = useTranslation()
  const opened = request.address?.opened ?? false
  const doubtful = (request.address?.signs.length ?? 0) > 0
  return (
    <>
      <RefuseButton small={small} pending={page.pending} onClick={page.decline}>
        {t('inbox.page.decline')}
      </RefuseButton>
      <span className="flex-1" />
      <Button look="ghost" small={small} inactive={page.pending} onClick={page.cancel}>
        {t('inbox.question.cancel')}
      </Button>
      <AgreeButton small={small} {...(opened ? {} : { icon: ExternalLink })} armed={page.armed} onClick={page.agree}>
        {t(opened ? 'inbox.page.goOn' : doubtful ? 'inbox.page.openAnyway' : 'inbox.page.open')}
      </AgreeButton>
    </>
  )
}
