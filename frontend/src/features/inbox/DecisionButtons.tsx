import { Check, X } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { InboxRequest } from '@/lib/api'
import { Button, Popover } from '@/ui'
import { AlwaysPanel } from './AlwaysPanel'
import type { Decision } from './useDecision'

export interface DecisionButtonsProps {
  request: InboxRequest
  decision: Decision
  alwaysOpen: boolean
  onAlways: (open: boolean) => void
  small?: boolean
}

/** Refuser at the left; Toujours, Pour cette session, Une fois at the right. */
export function DecisionButtons({ request, decision, alwaysOpen, onAlways, small = false }: DecisionButtonsProps) {
  const { t } = useTranslation()
  const { armed, pending, draft } = decision
  const hasSession = Boolean(request.caller.session)
  const reason = draft.valid ? t('inbox.answers.arming') : t('inbox.answers.invalid')
  const waits = armed ? {} : { inactive: true, reason }
  const keys = (text: string) => (small ? {} : { keys: text })
  return (
    <>
      <Button
        look="danger"
        small={small}
        icon={X}
        {...keys(t('keys.escape'))}
        inactive={pending}
        onClick={decision.deny}
      >
        {t('inbox.answers.deny')}
      </Button>
      <span className="flex-1" />
      <Popover
        open={alwaysOpen && armed}
        onOpenChange={onAlways}
        side="top"
        label={t('inbox.alwaysPanel.title')}
        trigger={
          <Button look="ghost" small={small} inactive={!armed || pending} aria-keyshortcuts="Alt+T">
            {t('inbox.answers.always')}
          </Button>
        }
      >
        <AlwaysPanel
          request={request}
          onApprove={(until) => {
            onAlways(false)
            decision.approve('always', until)
          }}
        />
      </Popover>
      <Button
        small={small}
        aria-keyshortcuts="Alt+S"
        {...(hasSession ? waits : { inactive: true, reason: t('inbox.answers.noSession') })}
        onClick={() => decision.approve('session')}
      >
        {t('inbox.answers.session')}
      </Button>
      <Button
        look="primary"
        small={small}
        icon={Check}
        {...keys('Ctrl ⏎')}
        {...waits}
        aria-keyshortcuts="Control+Enter"
        onClick={() => decision.approve('once')}
      >
        {t('inbox.answers.once')}
      </Button>
    </>
  )
}

/** Whether the panel of "always" is open; another card starts with it closed. */
export function useAlwaysPanel(id: string): [boolean, (open: boolean) => void] {
  const [openFor, setOpenFor] = useState<string>()
  return [openFor === id, (open) => setOpenFor(open ? id : undefined)]
}
