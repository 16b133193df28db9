import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Server } from '@/lib/api'
import type { Target } from '@/lib/fillIn'
import type { JsonObject } from '@/lib/json'
import { ResizablePanes } from '@/ui'
import { CallForm } from './CallForm'
import type { Draft } from './draft'
import { isUsable, NotReady } from './NotReady'
import { useMadeCalls, useMakeCall } from './queries'
import { ResultPane } from './result/ResultPane'

export interface WorkbenchProps {
  server: Server
  target: Target
  intro: ReactNode
  verb: string
  /** What is said when nothing can be filled in. */
  empty?: string
  draft: Draft
  onDraft: (draft: Draft) => void
  /** The name to send for some arguments, where it is not the target's. */
  nameFor?: (args: JsonObject) => string | undefined
}

/** The form of what can be called, and what the last call came to. */
export function Workbench({ server, target, intro, verb, empty, draft, onDraft, nameFor }: WorkbenchProps) {
  const made = useMadeCalls(target)
  const make = useMakeCall()
  const call = (args: JsonObject) => {
    const name = nameFor?.(args)
    make.mutate({ target, args, ...(name === undefined ? {} : { name }) })
  }
  return (
    <Beside server={server} target={target} make={make}>
      <CallForm
        key={keyOf(target)}
        name={target.name}
        intro={intro}
        verb={verb}
        {...(empty === undefined ? {} : { empty })}
        draft={draft}
        onDraft={onDraft}
        made={made}
        calling={make.isPending}
        onCall={call}
      />
    </Beside>
  )
}

const keyOf = ({ kind, name }: Target) => `${kind} ${name}`

export interface BesideProps {
  server: Server
  target: Target
  make: ReturnType<typeof useMakeCall>
  /** What calls it; a server that is not ready says so in its place. */
  children: ReactNode
}

/** A way to call something, and beside it what the last call of it came to. */
export function Beside({ server, target, make, children }: BesideProps) {
  const { t } = useTranslation()
  const last = useMadeCalls(target)[0]
  const isThis = make.variables !== undefined && keyOf(make.variables.target) === keyOf(target)
  return (
    <ResizablePanes
      name="server.form"
      width={{ initial: paneWidth('form'), min: 240, max: 720 }}
      edgeLabel={t('server.tools.formEdge')}
      pane={isUsable(server) ? children : <NotReady server={server} />}
    >
      <ResultPane
        key={keyOf(target)}
        target={target}
        server={server}
        callId={last?.id}
        failed={make.isError && isThis ? make.error : undefined}
      />
    </ResizablePanes>
  )
}

const widths = { list: [183, 217, 279], form: [290, 296, 440] } as const

/** The first width of a pane: narrow windows, usual ones, wide ones. */
export function paneWidth(pane: keyof typeof widths): number {
  const [narrow, usual, wide] = widths[pane]
  if (window.innerWidth < 960) return narrow
  return window.innerWidth >= 1400 ? wide : usual
}

/** Below 1400 px the list gives its place to the open traffic, so that the form and the result keep theirs. */
export const besideTraffic = 'max-lg:group-data-[traffic=open]/page:[&>*:nth-child(-n+2)]:hidden'
