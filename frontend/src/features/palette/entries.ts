import {
  Activity,
  FlaskConical,
  Moon,
  OctagonX,
  Pencil,
  Plus,
  Power,
  RotateCw,
  ScrollText,
  ShieldCheck,
  Sun,
  Wrench,
  type LucideIcon,
} from 'lucide-react'
import type { TFunction } from 'i18next'
import { iconOf } from '@/features/vocabulary'
import type { Effect, InboxRequest, Server, ServerState, ServerVerb, ToolView } from '@/lib/api'

export type Group = 'waiting' | 'recent' | 'servers' | 'tools' | 'actions' | 'elsewhere'

/** What choosing a row does. Nothing that destroys or approves: those open the page that asks. Stopping all calls is neither. */
export type Choice =
  | { go: 'server'; id: string; tab?: string; tool?: string }
  | { go: 'edit' | 'test'; id: string }
  | { go: 'policy' | 'activity'; server: string }
  | { go: 'request'; id: string }
  | { go: 'page'; to: '/' | '/add' | '/inbox' | '/activity' | '/policy' | '/tools' | '/preferences' | '/settings' }
  | { go: 'verb'; id: string; verb: ServerVerb }
  | { go: 'setting'; key: string; value: string }
  | { go: 'stop' }

export interface Entry {
  key: string
  group: Group
  icon: LucideIcon
  label: string
  /** The label is what a machine reads. */
  code?: boolean
  note?: string
  state?: ServerState
  effect?: Effect
  choice: Choice
  /** The server whose other actions Tab lists. */
  server?: string
}

export interface Sources {
  servers: readonly Server[]
  tools: readonly ToolView[]
  waiting: readonly InboxRequest[]
}

/** Everything the palette can find, best groups first. */
export function entriesOf({ servers, tools }: Sources, pages: readonly Entry[], t: TFunction): Entry[] {
  const names = new Map(servers.map((server) => [server.id, server.name]))
  return [
    ...servers.map((server) => serverEntry(server, t)),
    ...tools.map((tool) => toolEntry(tool, names.get(tool.server) ?? tool.server)),
    ...servers.flatMap((server) => actionsOf(server, t)),
    ...pages,
    ...servers.map((server) => callsEntry(server, t)),
  ]
}

function serverEntry(server: Server, t: TFunction): Entry {
  return {
    key: `server:${server.id}`,
    group: 'servers',
    icon: iconOf(server),
    label: server.name,
    note: t('connexions.tools', { count: server.tools }),
    state: server.state,
    choice: { go: 'server', id: server.id },
    server: server.id,
  }
}

function toolEntry(tool: ToolView, server: string): Entry {
  return {
    key: `tool:${tool.server}:${tool.name}`,
    group: 'tools',
    icon: Wrench,
    label: `${server}.${tool.name}`,
    code: true,
    note: tool.title ?? tool.description?.split('\n')[0] ?? '',
    effect: tool.effect,
    choice: { go: 'server', id: tool.server, tool: tool.name },
    server: tool.server,
  }
}

/** What can be done to a server; switching off a server with running calls opens the list, which asks. */
export function actionsOf(server: Server, t: TFunction): Entry[] {
  const { id, name } = server
  const action = (key: string, icon: LucideIcon, choice: Choice, note?: string): Entry => ({
    key: `${key}:${id}`,
    group: 'actions',
    icon,
    label: t(`palette.actions.${key}`, { name }),
    choice,
    ...(note === undefined ? {} : { note }),
  })
  const verb = (verb: ServerVerb): Choice => ({ go: 'verb', id, verb })
  const off: Choice = server.running_calls > 0 ? { go: 'page', to: '/' } : verb('disable')
  return [
    server.enabled ? action('disable', Power, off) : action('enable', Power, verb('enable')),
    action('log', ScrollText, { go: 'server', id, tab: 'logs' }),
    action('explain', ShieldCheck, { go: 'policy', server: id }, t('palette.explainNote')),
    action('test', FlaskConical, { go: 'test', id }),
    ...(server.enabled ? [action('reconnect', RotateCw, verb('reconnect'))] : []),
    ...(server.source === 'store' ? [action('edit', Pencil, { go: 'edit', id })] : []),
  ]
}

function callsEntry({ id, name }: Server, t: TFunction): Entry {
  return {
    key: `calls:${id}`,
    group: 'elsewhere',
    icon: Activity,
    label: t('palette.calls', { name }),
    choice: { go: 'activity', server: id },
  }
}

/** Actions that belong to no server. */
export function generalActions(t: TFunction): Entry[] {
  const setting = (key: string, value: string): Choice => ({ go: 'setting', key, value })
  const action = (key: string, icon: LucideIcon, choice: Choice): Entry => ({
    key,
    group: 'actions',
    icon,
    label: t(`palette.actions.${key}`),
    choice,
  })
  return [
    action('add', Plus, { go: 'page', to: '/add' }),
    action('stop', OctagonX, { go: 'stop' }),
    action('light', Sun, setting('ui.theme', 'light')),
    action('dark', Moon, setting('ui.theme', 'dark')),
  ]
}
