import { Check } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { InboxRequest } from '@/lib/api'
import { Button, Popover } from '@/ui'
import { AlwaysPanel } from './AlwaysPanel'
import { AgreeButton, RefuseButton } from './CardButtons'
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
  const why = draft.valid ? {} : { reason: t('inbox.answers.invalid') } // one that is not valid is not armed either
  return (
    <>
      <RefuseButton small={small} {...placed(small, '@max-[420px]:order-1')} pending={pending} onClick={decision.deny}>
        {t('inbox.answers.deny')}
      </RefuseButton>
      <span className="flex-1 @max-[420px]:hidden" />
      <Always request={request} decision={decision} open={alwaysOpen} onOpen={onAlways} small={small} />
      <Button
        small={small}
        {...placed(small, '@max-[420px]:order-4')}
        aria-keyshortcuts="Alt+S"
        inactive={!armed || !hasSession}
        {...(hasSession ? why : { reason: t('inbox.answers.noSession') })}
        onClick={() => decision.approve('session')}
      >
        {t('inbox.answers.session')}
      </Button>
      <AgreeButton
        look="primary"
        icon={Check}
        small={small}
        {...placed(small, '@max-[420px]:order-2')}
        armed={armed}
        {...why}
        onClick={() => decision.approve('once')}
      >
        {t('inbox.answers.once')}
      </AgreeButton>
    </>
  )
}

/** In a narrow place the two ways out come first, side by side, and the two lasting ones below. */
function placed(small: boolean, order: string): { className?: string } {
  return small ? { className: `${order} @max-[420px]:w-full` } : {}
}

interface AlwaysProps {
  request: InboxRequest
  decision: Decision
  open: boolean
  onOpen: (open: boolean) => void
  small: boolean
}

function Always({ request, decision, open, onOpen, small }: AlwaysProps) {
  const { t } = useTranslation()
  const { armed, pending } = decision
  return (
    <Popover
      open={open && armed}
      onOpenChange={onOpen}
      side="top"
      label={t('inbox.alwaysPanel.title')}
      trigger={
        <Button
          look="ghost"
          small={small}
          {...placed(small, '@max-[420px]:order-3')}
          inactive={!armed || pending}
          aria-keyshortcuts="Alt+T"
        >
          {t('inbox.answers.always')}
        </Button>
      }
    >
      <AlwaysPanel
        request={request}
        onApprove={(until) => {
          onOpen(false)
          decision.approve('always', until)
        }}
      />
    </Popover>
  )
}

/** Whether the panel of "always" is open; another card starts with it closed. */
export function useAlwaysPanel(id: string): [boolean, (open: boolean) => void] {
  const [openFor, setOpenFor] = useState<string>()
  return [openFor === id, (open) => setOpenFor(open ? id : undefined)]
}
