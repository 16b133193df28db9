// What the pretended core holds: the servers of the design's pictures, and a few of every state.
const ago = (minutes) => new Date(Date.now() - minutes * 60_000).toISOString()
const failure = (code, message, args = {}, proof = '') => ({ code, message, args, proof })

const base = {
  trust: 'custom',
  enabled: true,
  source: 'store',
  created_at: '2026-11-12T09:00:00Z',
  updated_at: '2026-11-12T09:00:00Z',
  since: ago(200),
  state: 'ready',
  references: 1,
  resources: 0,
  prompts: 0,
  running_calls: 0,
}

const stdio = (name, revision, tools, more = {}) => ({
  ...base,
  id: name.replace(/-/g, '_'),
  name,
  transport: 'stdio',
  command: 'npx',
  args: ['-y', `@modelcontextprotocol/server-${name}`],
  protocol_version: revision,
  tools,
  prefix: `mcp_${name.replace(/-/g, '_')}__`,
  ...more,
})
const http = (name, revision, tools, more = {}) => ({
  ...base,
  id: name.replace(/-/g, '_'),
  name,
  transport: 'streamable_http',
  url: `https://mcp.${name}.com/mcp`,
  protocol_version: revision,
  tools,
  prefix: `mcp_${name.replace(/-/g, '_')}__`,
  ...more,
})

export const servers = [
  http('notion', '2025-11-25', 14, {
    trust: 'verified_official',
    state: 'needs_sign_in',
    reason: failure('sign_in_needed', 'The server wants a sign-in.', { status: '401' }),
    last_call_at: ago(1500),
  }),
  stdio('postgres-compta', '2025-06-18', 12, {
    state: 'stopped',
    args: ['-y', '@acme/mcp-postgres', '--schema', 'compta'],
    env: [{ name: 'DATABASE_URL', value: '${secret:postgres_compta/DATABASE_URL}', secret: true }],
    reason: failure('connection_refused', 'refused', { address: '10.2.0.14:5432' }),
    last_call_at: ago(4000),
  }),
  http('acme-internal', '2026-07-28', 23, {
    source: 'config.toml',
    line: 31,
    state: 'needs_approval',
    url: 'https://mcp.acme.internal/mcp',
    last_call_at: ago(26),
  }),
  http('meteo-labo', '2024-11-05', 3, {
    transport: 'sse',
    trust: 'community',
    state: 'degraded',
    url: 'http://meteo.labo.example/sse',
    reason: failure('call_timeout', 'slow'),
    last_call_at: ago(2),
  }),
  http('github', '2025-11-25', 40, { trust: 'verified_official', last_call_at: ago(1), resources: 3, prompts: 2 }),
  http('sentry', '2026-07-28', 16, { trust: 'verified_official', last_call_at: ago(11), running_calls: 2 }),
  stdio('playwright', '2025-06-18', 0, { trust: 'community', state: 'installing', protocol_version: undefined }),
  stdio('filesystem', '2025-06-18', 14, { trust: 'verified_official', last_call_at: ago(3) }),
  stdio('heure', '2025-06-18', 2, { trust: 'community', state: 'off', enabled: false, since: '2026-11-21T10:00:00Z' }),
  stdio('memory', '2025-06-18', 9, { trust: 'verified_official' }),
]

const effects = ['reads', 'reads', 'writes', 'destroys']
const names = ['search', 'read', 'create', 'delete', 'list', 'describe', 'update', 'drop']

export const tools = servers.flatMap((server) =>
  Array.from({ length: server.tools }, (_, n) => ({
    server: server.id,
    name: `${names[n % 8]}_${['issues', 'pages', 'rows', 'files'][Math.floor(n / 8) % 4]}`,
    description: 'A tool of the pretended core.',
    effect: effects[n % 4],
    fqn: `mcp_${server.id}.tool_${n}`,
    wire_name: `mcp_${server.id}__tool_${n}`,
    risk: 'medium',
    verdict: 'ask',
    because: 'server_default',
    input_schema: { type: 'object', properties: {} },
  })),
)

export const status = (list) => ({
  running: true,
  pid: 4821,
  url: 'http://127.0.0.1:7433',
  mcp_url: 'http://127.0.0.1:7433/mcp',
  owner: 'serve',
  version: '0.1.0',
  data_folder: '/home/lea/.apollia',
  servers: { ready: list.filter((s) => s.state === 'ready').length, total: list.filter((s) => s.enabled).length },
  inbox: list.length > 0 ? 4 : 0,
  calls_today: list.length > 0 ? 312 : 0,
  secrets: { kind: 'keyring', degraded: false },
  problems: [],
})

export const settings = (theme, language) => [
  { key: 'ui.language', value: language, default: 'system', from: 'store' },
  { key: 'ui.theme', value: theme, default: 'system', from: 'store' },
  { key: 'ui.letter_shortcuts', value: 'true', default: 'true', from: 'default' },
  { key: 'server.listen', value: '127.0.0.1:7433', default: '127.0.0.1:7433', from: 'default' },
  ...Object.entries({
    'notifications.requests': 'true',
    'notifications.servers': 'true',
    'defaults.timeout': '30',
    'defaults.buffer_size': '10485760',
    call_idle_timeout: '60',
    call_max_time: '600',
    'oauth.callback_port': '8913',
    'oauth.client_metadata_url': 'https://apollia.fr/.well-known/mcp-client-metadata',
  }).map(([key, value]) => ({ key, value, default: value, from: 'default' })),
  { key: 'approvals.from_cli', value: 'terminal', default: 'terminal', from: 'config.toml', line: 12 },
]

/** A sign-in that waits for a person, for ever. */
export const signIn = () => ({
  id: 's1',
  server: 'notion',
  running: true,
  authorize_url: 'https://mcp.notion.com/authorize?state=s1',
  issuer: 'https://mcp.notion.com',
  redirect_uri: 'http://127.0.0.1:8913/callback',
  ends_at: new Date(Date.now() + 300_000).toISOString(),
})
