import { useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { copyName, useServers } from '@/features/connexions'
import { useDraftFound } from '@/features/network'
import { FailureNote } from '@/features/vocabulary'
import type { Server } from '@/lib/api'
import { useServer } from './queries'
import { placeIn, startState, stepNames, type StepName, type WizardState } from './wizard'
import { WizardPage } from './WizardPage'

/** Adds a server: empty, from a pasted text, as a copy of another one, or one that the local network has. */
export function Wizard() {
  const { from = '', paste = '', transport, found = '' } = useSearch({ from: '/add' })
  const draft = useDraftFound(found)
  const source = useServer(from)
  const servers = useServers()
  if (from !== '') {
    if (source.error) return <FailureNote error={source.error} className="m-6" />
    if (!source.data || !servers.data) return null
    const copy = { ...source.data, name: copyName(source.data.name, servers.data) }
    return <WizardPage start={{ ...startState(copy, 'parameters'), dirty: true }} mode="add" copyOf={from} />
  }
  if (found !== '') {
    if (draft.error) return <FailureNote error={draft.error} className="m-6" />
    return draft.data ? <WizardPage start={{ ...startState(draft.data, 'test'), dirty: true }} mode="add" /> : null
  }
  return <WizardPage start={blank(paste, transport)} mode="add" />
}

function blank(paste: string, transport: string | undefined): WizardState {
  const state = { ...startState(), paste }
  const known = transport === 'streamable_http' || transport === 'sse'
  return known ? { ...state, draft: { ...state.draft, transport } } : state
}

/** Changes a server: the same pages with its values; it is tested again before it is saved. */
export function EditWizard({ serverId }: { serverId: string }) {
  const { step } = useSearch({ from: '/servers/$id/edit' })
  const open = stepNames.find((name) => name === step) ?? 'parameters'
  return (
    <WithServer serverId={serverId}>
      {(server) =>
        lineOf(server) === undefined ? (
          <WizardPage start={of(server, open)} mode="edit" serverId={server.id} />
        ) : (
          <ServerTest server={server} />
        )
      }
    </WithServer>
  )
}

/** Tests a saved server, with the same causes and fixes as when it was added. */
export function TestPage({ serverId }: { serverId: string }) {
  return <WithServer serverId={serverId}>{(server) => <ServerTest server={server} />}</WithServer>
}

const ServerTest = ({ server }: { server: Server }) => (
  <WizardPage start={of(server, 'test')} mode="test" serverId={server.id} fileLine={lineOf(server)} />
)

/** The line of config.toml that a server is edited at; undefined for one that is edited here. */
const lineOf = (server: Server) => (server.source === 'config.toml' ? (server.line ?? 1) : undefined)

function of(server: Server, wanted: StepName): WizardState {
  const { step, field } = placeIn(server, wanted === 'auth' ? { step: wanted, field: 'auth' } : { step: wanted })
  return { ...startState(server, step), reached: step === 'auth' ? 'parameters' : step, focus: field }
}

function WithServer({ serverId, children }: { serverId: string; children: (server: Server) => ReactNode }) {
  const server = useServer(serverId)
  if (server.error && !server.data) return <FailureNote error={server.error} className="m-6" />
  return server.data ? children(server.data) : null
}
