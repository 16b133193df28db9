import { readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { Page, Route } from '@playwright/test'
import type { Definition, Failure, InboxRequest } from '@/lib/api'
import { frontend } from '../harness/paths'
import * as journal from './fixtures/journal'
import * as program from './fixtures/program'
import * as reports from './fixtures/reports'
import * as requests from './fixtures/requests'
import { failure, servers } from './fixtures/servers'
import * as signIns from './fixtures/signIns'
import * as streams from './fixtures/streams'
import * as tools from './fixtures/tools'

/** Where the pretended core lives: the address that the pictures show. Nothing listens there. */
export const origin = 'http://127.0.0.1:7433'

/** A failure that the core answers with. */
export class Refusal {
  constructor(
    readonly error: Failure,
    readonly status = 400,
  ) {}
}

/** No answer at all, as while something loads. */
export const never = Symbol('never')
/** The connection breaks, as when the core is gone. */
export const gone = Symbol('gone')

/** What the core answers, by method and path; "*" stands for one part of the path. */
export type Answers = Record<string, unknown>
/** An answer that depends on what was sent. */
export const from = (answer: (body: never, query: URLSearchParams) => unknown) => answer

export const broken = new Refusal(failure('internal'), 500)

const checked = {
  id: 'postgres_compta',
  prefix: 'mcp_postgres_compta__',
  errors: [],
  program: '/home/lea/.nvm/versions/node/v22.11.0/bin/npx',
  variables: [],
  passed: ['PATH', 'HOME', 'LANG', 'USER', 'SHELL', 'TERM', 'TMPDIR', 'LOGNAME', 'XDG_RUNTIME_DIR'],
  preview: 'npx -y @acme/mcp-postgres --schema compta',
}

/** A core in which all is well; a screen replaces the answers that make it special. */
export const usual: Answers = {
  'GET /api/events': never,
  'GET /api/status': program.status(servers, 4),
  'GET /api/settings': { settings: program.settings },
  'GET /api/doctor': { findings: program.findings },
  'GET /api/servers': { servers },
  'GET /api/tools': { tools: tools.tools },
  'GET /api/servers/*/tools': { tools: tools.tools },
  'GET /api/servers/*/resources': tools.resources,
  'GET /api/servers/*/prompts': { prompts: tools.prompts },
  'GET /api/servers/*/logs': { lines: streams.log, next: streams.log.length },
  'GET /api/servers/*/traffic': { frames: streams.frames, next: streams.frames.length },
  'GET /api/servers/*/sign-in': {},
  'POST /api/sign-ins': signIns.waiting,
  'GET /api/sign-ins/*': never,
  'DELETE /api/sign-ins/*': {},
  'GET /api/inbox': inboxOf([...requests.waiting, ...requests.answeredToday]),
  'GET /api/approvals': { approvals: requests.approvals },
  'GET /api/policy': { rules: program.rules },
  'POST /api/policy/explain': requests.byRule,
  'GET /api/activity': journal.activity,
  'GET /api/network': { off: true, servers: [], announced: [] },
  'GET /api/audit/verify': { ok: true, entries: 18_402 },
  'POST /api/drafts/check': checked,
  'POST /api/drafts/parse': from(({ text }: { text: string }) => pasted(text)),
  'POST /api/tests': reports.passed,
  'GET /api/tests/*': reports.passed,
  'POST /api/calls': streams.issues,
  'GET /api/calls/*': streams.issues,
  ...Object.fromEntries(servers.map((server) => [`GET /api/servers/${server.id}`, server])),
  ...Object.fromEntries(requests.waiting.map((request) => [`GET /api/inbox/${request.id}`, request])),
}

export { checked }

/** The inbox with these requests, all of them or those of a status. */
export function inboxOf(all: readonly InboxRequest[]): unknown {
  return from((_, query) => {
    const wanted = query.get('status')
    return {
      requests: all.filter(({ status }) => wanted === null || (status === 'waiting') === (wanted === 'waiting')),
      waiting: all.filter(({ status }) => status === 'waiting').length,
    }
  })
}

/** Recognises the two texts that the screens paste. */
function pasted(text: string): unknown {
  if (!text.startsWith('{')) return new Refusal(failure('invalid_input', { read: 'text', line: '1', column: '9' }))
  const definitions: Definition[] = [
    {
      name: 'postgres-compta',
      transport: 'stdio',
      command: 'npx',
      args: ['-y', '@acme/mcp-postgres', '--schema', 'compta'],
      env: [
        { name: 'DATABASE_URL', value: 'postgres://compta:s3cret@10.2.0.14/db', secret: true },
        { name: 'PGAPPNAME', value: 'apollia' },
        { name: 'PGSSLROOTCERT', value: '${HOME}/certs/acme.pem' },
      ],
    },
    { name: 'acme-internal', transport: 'streamable_http', url: 'https://mcp.acme.internal/mcp' },
  ]
  const several = text.includes('acme-internal')
  return {
    format: 'json',
    read: 'mcpServers',
    secrets: 1,
    definitions: several ? definitions : definitions.slice(0, 1),
  }
}

type Reply = (body: unknown, query: URLSearchParams) => unknown

/** Serves the built interface and the pretended core to one page, without any server. */
export async function pretend(page: Page, special: Answers): Promise<void> {
  const answers = { ...usual, ...special }
  await page.route(`${origin}/**`, async (route) => {
    const url = new URL(route.request().url())
    if (url.pathname.startsWith('/api/')) await answer(route, url, answers)
    else await route.fulfill(file(url.pathname))
  })
}

async function answer(route: Route, { pathname, searchParams }: URL, answers: Answers): Promise<void> {
  const request = route.request()
  const found = find(answers, request.method(), pathname)
  const said = typeof found === 'function' ? (found as Reply)(request.postDataJSON(), searchParams) : found
  if (said === never) return
  if (said === gone) return route.abort('connectionrefused')
  const refused =
    said === undefined ? new Refusal(failure('unknown_item'), 404) : said instanceof Refusal ? said : undefined
  await route.fulfill(refused ? { status: refused.status, json: { error: refused.error } } : { json: said })
}

/** The answer whose pattern fits: an exact path first. */
function find(answers: Answers, method: string, pathname: string): unknown {
  const exact = answers[`${method} ${pathname}`]
  if (exact !== undefined) return exact
  const parts = pathname.split('/')
  const fits = Object.keys(answers).find((pattern) => {
    const [verb = '', path = ''] = pattern.split(' ')
    const wanted = path.split('/')
    return (
      verb === method && wanted.length === parts.length && wanted.every((part, n) => part === '*' || part === parts[n])
    )
  })
  return fits === undefined ? undefined : answers[fits]
}

const kinds: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

const files = new Map<string, { body: Buffer; contentType: string }>()

/** A file of the built interface, read once. */
function file(pathname: string): { body: Buffer; contentType: string } {
  const name = pathname === '/' ? '/index.html' : pathname
  const known = files.get(name)
  if (known) return known
  const read = {
    body: readFileSync(join(frontend, 'dist', name)),
    contentType: kinds[extname(name)] ?? 'application/octet-stream',
  }
  files.set(name, read)
  return read
}
