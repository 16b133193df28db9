import { Check, CircleStop, FileDiff } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useServerName } from '@/features/connexions'
import type { InboxRequest } from '@/lib/api'
import { Note } from '@/ui'
import { AgreeButton, RefuseButton } from './CardButtons'
import { CardFrame } from './CardFrame'
import type { RequestCardProps } from './RequestCard'
import { isNewSetup, setupLines, type SetupLine } from './setup'
import { useDecision } from './useDecision'
import { useRequestKeys } from './useRequestKeys'

/** An entry of config.toml that starts something else than was confirmed, or something new. */
export function SetupCard({ card, now, onAnswered, onStep }: RequestCardProps) {
  const { t } = useTranslation()
  const { request } = card
  const decision = useDecision(card, onAnswered)
  const accept = () => decision.approve('once')
  const waits = request.status === 'waiting'
  useRequestKeys({ answers: { deny: decision.deny, once: accept }, waits, onStep })
  return (
    <CardFrame
      card={card}
      now={now}
      answering={decision}
      answers={
        <>
          <RefuseButton icon={CircleStop} pending={decision.pending} onClick={decision.deny}>
            {t('inbox.setup.keep')}
          </RefuseButton>
          <span className="flex-1" />
          <AgreeButton icon={Check} armed={decision.armed && !decision.pending} onClick={accept}>
            {t(isNewSetup(request) ? 'inbox.setup.acceptNew' : 'inbox.setup.accept')}
          </AgreeButton>
        </>
      }
    >
      <Content request={request} />
    </CardFrame>
  )
}

function Content({ request }: { request: InboxRequest }) {
  const { t } = useTranslation()
  const server = useServerName()(request.server)
  const fresh = isNewSetup(request)
  const lines = setupLines(request)
  return (
    <>
      <Note tone="attn" icon={FileDiff}>
        {t(fresh ? 'inbox.setup.newMore' : 'inbox.setup.changedMore', { server })}
      </Note>
      <h3 className="mt-4 mb-1.5 font-semibold">{t('inbox.setup.starts')}</h3>
      <dl className="overflow-hidden rounded-lg border border-line">
        {lines.map((line) => (
          <Line key={line.part} line={line} />
        ))}
      </dl>
      {!fresh && lines.every(({ before }) => before === undefined) && (
        <p className="mt-2 text-small text-ink-2">{t('inbox.setup.secretOnly')}</p>
      )}
      {request.status === 'waiting' && (
        <>
          <h3 className="mt-4 mb-1 font-semibold">{t('inbox.setup.ifAccepted')}</h3>
          <p className="text-small text-ink-2">{t('inbox.setup.then', { server })}</p>
          <p className="mt-1 text-small text-ink-2">{t('inbox.setup.otherwise')}</p>
        </>
      )}
    </>
  )
}

/** One part of what is started: alone, or with what it was above it. */
function Line({ line: { part, before, after } }: { line: SetupLine }) {
  const { t } = useTranslation()
  return (
    <div className="grid grid-cols-[130px_1fr] border-b border-line last:border-b-0">
      <dt className="px-3 py-1.5 text-small text-ink-3">{t(`inbox.setup.parts.${part}`)}</dt>
      <dd className="mono m-0 min-w-0 text-small wrap-anywhere">
        {before !== undefined && (
          <Side sign="−" name={t('inbox.setup.before')} className="bg-danger-soft">
            {before}
          </Side>
        )}
        <Side
          sign={before === undefined ? ' ' : '+'}
          name={before === undefined ? undefined : t('inbox.setup.after')}
          className={before === undefined ? '' : 'bg-ok-soft'}
        >
          {after}
        </Side>
      </dd>
    </div>
  )
}

interface SideProps {
  sign: string
  name: string | undefined
  className: string
  children: string
}

function Side({ sign, name, className, children }: SideProps) {
  const { t } = useTranslation()
  return (
    <p className={`flex gap-2 px-2.5 py-1.5 ${className}`}>
      <span aria-hidden className="w-3 flex-none text-ink-3 select-none">
        {sign}
      </span>
      {name !== undefined && <span className="sr-only">{name}</span>}
      <span className="min-w-0">{children === '' ? t('inbox.setup.nothing') : children}</span>
    </p>
  )
}
