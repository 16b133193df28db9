import { useTranslation } from 'react-i18next'
import type { InboxRequest } from '@/lib/api'
import { openOutside, takeTab } from '@/lib/native'
import { useToast } from '@/ui'
import type { Card } from './queue'
import { useAnswering, type Answering } from './useAnswering'
import { useArmed } from './useArmed'

export interface PageReply extends Omit<Answering, 'send'> {
  /** The page has been on screen long enough to be agreed to. */
  armed: boolean
  /** Agrees: opens the page, or has the call go on where it was opened before. */
  agree: () => void
  /** Opens the page once more, which answers nothing. */
  reopen: () => void
  decline: () => void
  /** Closes the request, and the call with it. */
  cancel: () => void
}

/** The ways to answer for a page that a server wants opened. It is opened by a press of the person, and only then. */
export function usePage(card: Card, onAnswered: (card: Card) => void): PageReply {
  const { t } = useTranslation()
  const toast = useToast()
  const { request } = card
  const { send, ...sending } = useAnswering(card, onAnswered)
  const ready = useArmed(request.id)
  const armed = ready && !sending.pending
  const reopening = (url: string) => ({ label: t('inbox.page.reopen'), run: () => openOutside(url) })
  const agree = () => {
    if (!armed) return
    if (request.address?.opened) {
      send({ approve: true })
      return
    }
    const tab = takeTab(t('inbox.page.opening'))
    send({ approve: true }, (counts) => {
      const url = addressOf(request)
      if (!counts) tab.close()
      else if (!tab.go(url)) toast({ tone: 'attn', text: t('inbox.page.blocked'), action: reopening(url) })
    })
  }
  return {
    ...sending,
    armed,
    agree,
    reopen: () => openOutside(addressOf(request)),
    decline: () => send({ approve: false }),
    cancel: () => send({ approve: false, cancel: true }),
  }
}

const addressOf = ({ address }: InboxRequest) => address?.url ?? ''
