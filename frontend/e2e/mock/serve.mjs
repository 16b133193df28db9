// Serves dist/ over a pretended core, for looking at screens without one: node e2e/mock/serve.mjs [port]
import { createReadStream, existsSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as data from './data.mjs'
import { check, parse } from './drafts.mjs'
import { failed, passed } from './tests.mjs'

const dist = resolve(process.env.DIST ?? resolve(import.meta.dirname, '../../dist'))
const kinds = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/**
 * Starts the pretended core. options.servers: "design", "none" or "hundred"; theme and language as in the settings;
 * test: "pass" or "fail"; routes: more answers, by "METHOD /path", as functions of the body.
 */
export async function serve({
  port = 0,
  servers = 'design',
  theme = 'light',
  language = 'fr',
  test = 'pass',
  routes = {},
} = {}) {
  const state = {
    list: servers === 'none' ? [] : servers === 'hundred' ? hundred() : data.servers,
    settings: data.settings(theme, language),
    definition: undefined,
    runs: 0,
  }
  const answers = { ...api(state, test), ...routes }
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    if (!pathname.startsWith('/api/')) return file(pathname, response)
    if (pathname === '/api/events')
      return response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': here\n\n')
    const body = await read(request)
    const answer = find(answers, request.method, pathname)
    const [, , , id, part] = pathname.split('/')
    const result = answer?.(body, id, part)
    response.writeHead(result === undefined ? 404 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(result ?? { error: { code: 'unknown_item', message: `no ${pathname}` } }))
  })
  await new Promise((done) => server.listen(port, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close: () => server.closeAllConnections() ?? server.close(),
  }
}

function api(state, test) {
  const one = (id) => state.list.find((server) => server.id === id)
  const report = (id) => (test === 'pass' ? passed : failed)(id, state.definition)
  return {
    'GET /api/status': () => data.status(state.list),
    'GET /api/servers': () => ({ servers: state.list }),
    'GET /api/servers/*': (_, id) => one(id),
    'GET /api/tools': () => ({ tools: data.tools }),
    'GET /api/servers/*/tools': (_, id) => ({ tools: data.tools.filter((tool) => tool.server === id) }),
    'GET /api/servers/*/resources': () => ({
      resources: [{ server: 'x', uri: 'demo://readme', name: 'readme' }],
      templates: [],
    }),
    'GET /api/servers/*/prompts': () => ({ prompts: [{ server: 'x', name: 'summarise' }] }),
    'GET /api/servers/*/sign-in': () => ({}),
    'POST /api/sign-ins': data.signIn,
    'GET /api/sign-ins/*': data.signIn,
    'DELETE /api/sign-ins/*': () => ({}),
    'POST /api/servers/*/enable': (_, id) => switched(state, id, true),
    'POST /api/servers/*/disable': (_, id) => switched(state, id, false),
    'DELETE /api/servers/*': (_, id) => ((state.list = state.list.filter((server) => server.id !== id)), {}),
    'POST /api/servers': ({ definition }) => ({ ...data.servers[0], ...definition, id: 'new', state: 'ready' }),
    'GET /api/settings': () => ({ settings: state.settings }),
    'PATCH /api/settings': ({ key, value }) => {
      state.settings = state.settings.map((setting) => (setting.key === key ? { ...setting, value } : setting))
      return { settings: state.settings }
    },
    'POST /api/drafts/parse': ({ text }) => parse(text),
    'POST /api/drafts/check': ({ definition }) => check(definition),
    'POST /api/tests': ({ definition, server_id }) => {
      state.definition = definition ?? one(server_id)
      return { ...report(`t${++state.runs}`), running: false }
    },
    'GET /api/tests/*': (_, id) => report(id),
  }
}

function switched(state, id, enabled) {
  state.list = state.list.map((server) =>
    server.id === id ? { ...server, enabled, state: enabled ? 'ready' : 'off' } : server,
  )
  return state.list.find((server) => server.id === id)
}

function hundred() {
  return Array.from({ length: 100 }, (_, n) => {
    const like = data.servers[n % data.servers.length]
    return { ...like, id: `${like.id}_${n}`, name: `${like.name}-${n}` }
  })
}

/** The answer whose pattern fits, the most exact first; "*" stands for one part. */
function find(answers, method, pathname) {
  const parts = pathname.split('/')
  const fits = (pattern) => {
    const [verb, path] = pattern.split(' ')
    const wanted = path.split('/')
    return (
      verb === method && wanted.length === parts.length && wanted.every((part, n) => part === '*' || part === parts[n])
    )
  }
  const exact = (pattern) => pattern.split('*').length
  const found = Object.keys(answers)
    .filter(fits)
    .sort((a, b) => exact(a) - exact(b))
  return answers[found[0]]
}

async function read(request) {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  return chunks.length > 0 ? JSON.parse(Buffer.concat(chunks).toString()) : {}
}

function file(pathname, response) {
  const path = join(dist, pathname === '/' ? 'index.html' : pathname)
  if (!path.startsWith(dist) || !existsSync(path)) return response.writeHead(404).end()
  response.writeHead(200, { 'content-type': kinds[extname(path)] ?? 'application/octet-stream' })
  createReadStream(path).pipe(response)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { url } = await serve({ port: Number(process.argv[2] ?? 5175) })
  process.stdout.write(`${url}\n`)
}
