import { vi } from 'vitest'
import type { Server, TestReport } from '@/lib/api'

/** What a pretended core heard: "METHOD /path" with the body. */
export interface Heard {
  call: string
  body: unknown
}

type Answer = unknown
type Answers = Record<string, Answer>

const empty: Answers = {
  'GET /api/status': {
    running: true,
    url: 'http://127.0.0.1:7433',
    servers: { ready: 0, total: 0 },
    inbox: 0,
    calls_today: 0,
    problems: [],
  },
  'GET /api/servers': { servers: [] },
  'GET /api/tools': { tools: [] },
  'GET /api/settings': { settings: [{ key: 'ui.language', value: 'en', default: 'system', from: 'store' }] },
  'GET /api/inbox': { requests: [], waiting: 0 },
}

/** A refusal of the core, as it is sent. */
export const refusal = (code: string, status: number, args: Record<string, string> = {}) =>
  new Response(JSON.stringify({ error: { code, message: code, args } }), { status })

/** Answers fetch by "METHOD /path" and remembers what it heard. A function gets the body and makes the answer. */
export function pretendCore(answers: Answers): Heard[] {
  const heard: Heard[] = []
  const known = { ...empty, ...answers }
  vi.stubGlobal('fetch', (path: string, init: RequestInit = {}) => {
    const call = `${init.method ?? 'GET'} ${path.split('?')[0] ?? ''}`
    const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : undefined
    heard.push({ call, body })
    const answer = known[call]
    const found = typeof answer === 'function' ? (answer as (body: unknown) => unknown)(body) : answer
    if (found instanceof Response) return Promise.resolve(found)
    const missing = { error: { code: 'unknown_item', message: `nothing at ${call}` } }
    return Promise.resolve(new Response(JSON.stringify(found ?? missing), { status: found === undefined ? 404 : 200 }))
  })
  return heard
}

/** A server that works, with changes. */
export const aServer = (change: Partial<Server> = {}): Server => ({
  id: 'notion',
  name: 'notion',
  transport: 'streamable_http',
  url: 'https://mcp.notion.com/mcp',
  trust: 'custom',
  enabled: true,
  source: 'store',
  created_at: '2026-11-20T10:00:00Z',
  updated_at: '2026-11-20T10:00:00Z',
  state: 'ready',
  since: '2026-11-20T10:00:00Z',
  references: 1,
  tools: 3,
  resources: 0,
  prompts: 0,
  prefix: 'mcp_notion__',
  running_calls: 0,
  ...change,
})

/** A test that passed, with changes. */
export const aReport = (change: Partial<TestReport> = {}): TestReport => ({
  id: 't1',
  server: 'pg',
  name: 'pg',
  running: false,
  ok: true,
  transport: 'stdio',
  started_at: '2026-11-26T16:04:00Z',
  steps: [{ name: 'resolve', ok: true, start_ms: 0, ms: 8 }],
  tools: [{ server: 'pg', name: 'drop_table', effect: 'destroys' }],
  resources: [],
  templates: [],
  prompts: [],
  protocol_version: '2025-11-25',
  ...change,
})
