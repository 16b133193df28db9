import { FileDiff } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { reasonOf, ServerSignIn, useActionOf, useRowActions } from '@/features/connexions'
import { stateLooks, useFailureWords } from '@/features/vocabulary'
import type { Failure, Server } from '@/lib/api'
import { useLang } from '@/lib/i18n'
import { Button, Note, StateWord } from '@/ui'
import { InstructionsNote } from './InstructionsNote'
import { isUsable } from './NotReady'
import type { TabName } from './sections'

/** What a person should know of the server whatever tab is open: why it is in its state, and what it does that is odd. */
export function StateLine({ server, tab }: { server: Server; tab: TabName }) {
  const { warnings = [], stray_lines: stray = 0 } = server
  const telling = tellsState(server, tab)
  const count = warnings.length + (stray > 0 ? 1 : 0)
  const held = server.held_tools ?? 0
  const said = server.instruction_findings ?? []
  if (!telling && count + held + said.length === 0) return null
  return (
    <div className="space-y-2 px-[var(--px)] pb-2">
      {telling && <Why server={server} tab={tab} />}
      {telling && <ServerSignIn server={server} />}
      {held > 0 && <HeldTools server={server} count={held} />}
      <InstructionsNote server={server} />
      {count > 0 && <Warnings count={count} warnings={warnings} stray={stray} />}
    </div>
  )
}

/** The tabs of offers say themselves why nothing can be called; the others say nothing of the state. */
function tellsState(server: Server, tab: TabName): boolean {
  if (server.state === 'ready') return false
  return isUsable(server) || tab === 'logs' || tab === 'settings'
}

function Why({ server, tab }: { server: Server; tab: TabName }) {
  const { t } = useTranslation()
  const lang = useLang()
  const words = useFailureWords()
  const actions = useRowActions()
  const action = useActionOf(server)
  const look = stateLooks[server.state]
  return (
    <Note tone={look.tone} role="note">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <StateWord {...look}>{t(`states.${server.state}`)}</StateWord>
        <span className="min-w-0 flex-1 break-words">
          {reasonOf(server, words, t, lang).full} {server.reason && words(server.reason).fix}
        </span>
        {action && !(action.does === 'log' && tab === 'logs') && (
          <Button
            small
            {...(action.icon ? { icon: action.icon } : {})}
            onClick={() => actions.perform(action.does, server)}
          >
            {t(`connexions.actions.${action.does}`)}
          </Button>
        )}
      </div>
    </Note>
  )
}

/** Tools that are no longer what the person accepted, and the way to what changed. */
function HeldTools({ server, count }: { server: Server; count: number }) {
  const { t } = useTranslation()
  const actions = useRowActions()
  return (
    <Note tone="attn" icon={FileDiff} role="note">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="min-w-0 flex-1">{t('server.heldTools', { count })}</span>
        <Button small onClick={() => actions.perform('review', server)}>
          {t('connexions.actions.review')}
        </Button>
      </div>
    </Note>
  )
}

interface WarningsProps {
  count: number
  warnings: readonly Failure[]
  /** Lines that are not JSON-RPC. */
  stray: number
}

/** What the server sends that could not be used as it is; the rest of it works. */
function Warnings({ count, warnings, stray }: WarningsProps) {
  const { t } = useTranslation()
  const words = useFailureWords()
  return (
    <details className="rounded-lg bg-sunken px-3 py-2 text-small text-ink-2">
      <summary className="rounded-badge font-medium">{t('server.warnings', { count })}</summary>
      <ul
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling list must be reachable by keys
        tabIndex={0}
        aria-label={t('server.warnings', { count })}
        className="mt-1 max-h-40 list-disc space-y-0.5 overflow-y-auto pl-4"
      >
        {warnings.map((warning, i) => (
          <li key={i} className="break-words">
            {words(warning).what}
          </li>
        ))}
        {stray > 0 && <li>{t('server.strayLines', { count: stray })}</li>}
      </ul>
    </details>
  )
}
