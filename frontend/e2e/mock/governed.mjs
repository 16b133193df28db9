// What the pretended core says of calls: what waits, what happened, what the rules are, what a server wrote.
const minutes = (n) => new Date(Date.now() - n * 60_000).toISOString()
const client = (name) => ({ kind: 'client', name, user: 'local', session: `${name.toLowerCase().replace(' ', '-')}-1` })
const claude = client('Claude Desktop')
const code = client('VS Code')
const cursor = client('Cursor')
const assistant = { kind: 'app', name: 'assistant-compta', user: 'local', session: 's1' }
const decision = (because, rule) => ({ verdict: 'ask', because, rule, risk: 'medium', steps: [] })

export const rules = [
  {
    id: 'r1',
    verdict: 'deny',
    server: 'github',
    actions: ['delete_repository', 'archive_*'],
    source: 'store',
    created_at: '2026-11-12T10:00:00Z',
  },
  {
    id: 'r2',
    verdict: 'deny',
    server: '*',
    actions: ['drop_*'],
    client: 'Cursor',
    source: 'store',
    created_at: '2026-11-03T10:00:00Z',
  },
  { id: 'r3', verdict: 'ask', server: 'github', source: 'store', created_at: '2026-11-12T10:00:00Z' },
  {
    id: 'r4',
    verdict: 'allow',
    server: 'github',
    actions: ['get_*', 'list_*', 'search_*'],
    source: 'config.toml',
    line: 31,
    created_at: '2026-11-12T10:00:00Z',
  },
  {
    id: 'r5',
    verdict: 'allow',
    server: 'postgres_compta',
    actions: ['describe_table'],
    source: 'store',
    created_at: '2026-11-20T10:00:00Z',
  },
  {
    id: 'r6',
    verdict: 'deny',
    server: 'acme_internal',
    actions: ['send_mail'],
    source: 'store',
    created_at: '2026-11-18T10:00:00Z',
  },
  {
    id: 'r7',
    verdict: 'ask',
    server: 'filesystem',
    actions: ['write_file'],
    source: 'store',
    created_at: '2026-11-18T10:00:00Z',
  },
]

const approval = (id, caller, server, name, more = {}) => ({
  id,
  scope: 'always',
  caller,
  server,
  kind: 'tool',
  name,
  definition_digest: 'b41d02c8',
  start_digest: '9f3ce17a',
  created_at: minutes(410),
  ...more,
})
export const approvals = [
  approval('a1', claude, 'filesystem', 'write_file'),
  approval('a2', code, 'github', 'add_issue_comment', { until: '2026-12-31T23:00:00Z', created_at: minutes(9000) }),
  approval('a3', assistant, 'postgres_compta', 'run_select', { scope: 'session', created_at: minutes(120) }),
]

const asked = (id, caller, server, tool, effect, args, age, more = {}) => ({
  id,
  kind: 'tool',
  status: 'waiting',
  server,
  caller,
  tool,
  call_kind: 'tool',
  params: { name: tool, arguments: args },
  arguments_digest: `digest-${id}`,
  definition_digest: 'b41d7a6602c8',
  effect,
  decision: decision('rule', rules[2]),
  created_at: minutes(age),
  ...more,
})
const done = (request, scope, age, approve = true) => ({
  ...request,
  status: approve ? 'approved' : 'denied',
  used_at: minutes(age),
  answer: { approve, scope, by: { kind: 'window', name: 'window', user: 'local' }, at: minutes(age) },
})
export const requests = [
  asked(
    'q1',
    claude,
    'github',
    'delete_branch',
    'destroys',
    { owner: 'acme', repo: 'atlas-web', branch: 'release/2.3', force: false },
    1.2,
  ),
  asked(
    'q2',
    code,
    'filesystem',
    'write_file',
    'writes',
    { path: '~/Notes de frais/impayes-octobre.csv', content: 'numero;client;total\nF-2025-1017;Ateliers Morel;6240' },
    4,
    { decision: decision('server_default') },
  ),
  asked('q3', cursor, 'notion', 'search', 'reads', { query: 'compte rendu', limit: 10 }, 11, {
    decision: decision('server_default'),
  }),
  done(asked('d1', code, 'github', 'create_issue', 'writes', { title: 'A' }, 95), 'once', 93),
  done(asked('d2', code, 'github', 'create_issue', 'writes', { title: 'B' }, 95), 'once', 94),
  done(asked('d3', assistant, 'postgres_compta', 'run_select', 'reads', { sql: 'SELECT 1' }, 125), 'session', 122),
  done(asked('d4', cursor, 'acme_internal', 'send_mail', 'writes', { to: 'x' }, 260), undefined, 256, false),
  done(asked('d5', claude, 'github', 'delete_branch', 'destroys', { branch: 'old' }, 300), 'once', 299),
]

let seq = 18_402
const call = (age, caller, server, name, outcome, more = {}) => {
  seq -= 2
  const id = `c${seq}`
  const entry = {
    seq,
    at: minutes(age),
    kind: outcome ? 'outcome' : 'intent',
    call_id: id,
    caller,
    server,
    call_kind: 'tool',
    name,
    arguments_digest: `9f3c11aa22bb33cc44dd55ee66ff7788${seq}`,
    verdict: 'allow',
    because: 'rule',
    rule_id: 'r4',
    outcome,
    duration_ms: 318,
    bytes: 2100,
    hash: `9f3c${seq}77aa88bb99cc00dd11ee22ff33a4e17a`,
    ...more,
  }
  return outcome ? entry : { ...entry, verdict: undefined, because: undefined, duration_ms: undefined }
}
const byPerson = { verdict: 'ask', because: 'rule', rule_id: 'r3' }
export const entries = [
  call(1.2, claude, 'github', 'delete_branch', undefined, { arguments_digest: 'digest-q1' }),
  call(1.4, claude, 'github', 'list_branches', 'ok', { duration_ms: 318 }),
  call(1.7, code, 'sentry', 'find_issues', 'ok', { duration_ms: 1240 }),
  call(3, cursor, 'acme_internal', 'export_client', 'refused', {
    code: 'denied',
    verdict: 'deny',
    because: 'deny_rule',
  }),
  call(3.3, code, 'memory', 'search_nodes', 'ok', { duration_ms: 2, because: 'server_default', rule_id: '' }),
  call(62, claude, 'postgres_compta', 'run_select', 'error', { code: 'server_exited', duration_ms: 4 }),
  call(63, assistant, 'filesystem', 'read_text_file', 'ok', {
    because: 'standing_approval',
    rule_id: 'a1',
    duration_ms: 27,
  }),
  call(63.3, assistant, 'filesystem', 'search_files', 'ok', {
    because: 'standing_approval',
    rule_id: 'a1',
    duration_ms: 144,
  }),
  call(71, cursor, 'meteo_labo', 'forecast', 'error', { code: 'call_timeout', duration_ms: 30_000 }),
  call(76, claude, 'github', 'create_issue', 'ok', { ...byPerson, request_id: 'd1', duration_ms: 688 }),
  call(78, cursor, 'acme_internal', 'send_mail', 'refused', { ...byPerson, code: 'approval_denied', request_id: 'd4' }),
  call(80, code, 'github', 'search_code', 'ok', { duration_ms: 402 }),
  call(152, code, 'github', 'create_issue', 'ok', { ...byPerson, request_id: 'd2', duration_ms: 731 }),
  call(181, assistant, 'postgres_compta', 'run_select', 'ok', { because: 'standing_approval', duration_ms: 88 }),
  ...Array.from({ length: 120 }, (_, n) => call(190 + n * 4, n % 3 ? claude : code, 'github', 'search_code', 'ok')),
]

const string = (title, more = {}) => ({ type: 'string', ...(title ? { title } : {}), ...more })
const search = {
  type: 'object',
  required: ['query'],
  properties: {
    query: string('Recherche'),
    owner: string('Propriétaire'),
    repo: string('Dépôt'),
    sort: {
      title: 'Trier par',
      enum: ['updated', 'created', 'comments'],
      enumNames: ['Mise à jour', 'Création', 'Commentaires'],
      default: 'updated',
    },
    order: { title: 'Ordre', enum: ['desc', 'asc'], enumNames: ['Décr.', 'Croiss.'], default: 'desc' },
    perPage: { type: 'integer', title: 'Par page', minimum: 1, maximum: 100 },
  },
}
const everything = {
  type: 'object',
  required: ['title', 'visibility', 'target'],
  properties: {
    title: string('', { description: 'Le titre du ticket, en une ligne.', maxLength: 120 }),
    visibility: {
      title: 'Qui peut la voir',
      oneOf: [
        { const: 'me', title: 'Moi' },
        { const: 'team', title: 'L’équipe' },
      ],
    },
    labels: {
      title: 'Étiquettes',
      type: 'array',
      items: { enum: ['Décisions', 'Budget', 'Recrutement', 'Feuille de route'] },
    },
    due: { title: 'Échéance', type: 'string', format: 'date' },
    draft: { title: 'Brouillon', type: 'boolean' },
    reviewers: { title: 'Relecteurs', type: 'array', items: { type: 'string', format: 'email' } },
    target: {
      title: 'Cible',
      oneOf: [
        { title: 'Dépôt', type: 'object', properties: { repo: string('Dépôt') } },
        { title: 'Organisation', type: 'string' },
      ],
    },
    options: {
      title: 'Options',
      type: 'object',
      properties: {
        deep: { type: 'object', properties: { deeper: { type: 'object', properties: { x: { type: 'integer' } } } } },
        note: { type: ['string', 'null'] },
      },
    },
  },
}
const tool = (name, effect, more = {}) => ({
  server: 'github',
  name,
  effect,
  description: 'Un outil du serveur.',
  fqn: `mcp_github.${name}`,
  wire_name: `mcp_github__${name}`,
  risk: 'medium',
  verdict: 'ask',
  because: 'rule',
  input_schema: { type: 'object', properties: {} },
  ...more,
})
export const githubTools = [
  ...['get_file_contents', 'list_branches', 'list_commits', 'search_code'].map((name) => tool(name, 'reads')),
  tool('search_issues', 'reads', {
    description: 'Cherche des tickets et des demandes de fusion avec la syntaxe de recherche de GitHub.',
    input_schema: search,
  }),
  ...['get_pull_request', 'get_workflow_run'].map((name) => tool(name, 'reads')),
  tool('add_issue_comment', 'writes'),
  tool('create_issue', 'writes', {
    title: 'Ouvrir un ticket',
    description: 'Crée un ticket dans un dépôt.',
    input_schema: everything,
  }),
  tool('create_pull_request', 'writes'),
  tool('merge_pull_request', 'writes', { because: 'held_definition' }),
  tool('update_issue', 'writes'),
  tool('delete_branch', 'destroys', {
    input_schema: { type: 'object', required: ['branch'], properties: { branch: string() } },
  }),
  tool('delete_file', 'destroys'),
  tool('delete_repository', 'destroys', { verdict: 'deny', because: 'deny_rule' }),
]

const issue = (number, title, comments, labels) => ({
  number,
  title,
  state: 'open',
  comments,
  updated_at: '2026-11-26T15:02Z',
  user: Object.fromEntries(Array.from({ length: 18 }, (_, n) => [`field_${n}`, n])),
  labels: Array.from({ length: labels }, () => 'bug'),
})
const issues = {
  total_count: 3,
  incomplete_results: false,
  items: [
    issue(1284, 'PDF vide si TVA à 0', 4, 2),
    issue(1279, 'Total arrondi deux fois', 11, 3),
    issue(1262, 'Export lent', 1, 1),
  ],
}
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAFUlEQVR4nGP8z4APMOGVHbHSDAwAQ0cBDzC1TGEAAAAASUVORK5CYII='
const results = {
  search_issues: { content: [{ type: 'text', text: JSON.stringify(issues) }] },
  list_branches: {
    content: [
      { type: 'text', text: 'main\nrelease/2.3' },
      { type: 'image', mimeType: 'image/png', data: pixel },
      { type: 'resource_link', uri: 'https://github.com/acme/atlas-web', name: 'atlas-web', description: 'Le dépôt' },
      { type: 'resource', resource: { uri: 'demo://lisez-moi', text: '# Bonjour' } },
    ],
  },
  list_commits: { content: [] },
  get_pull_request: { content: [{ type: 'text', text: 'Not Found: 404' }], isError: true },
}

export function routes() {
  const calls = new Map()
  let list = requests
  let kept = rules
  const view = (id, body, more) => ({
    id,
    status: 'done',
    server: body.server,
    kind: body.kind,
    name: body.name,
    notices: [],
    sent: true,
    is_error: false,
    started_at: new Date(Date.now() - 412).toISOString(),
    duration_ms: 412,
    ...more,
  })
  const start = (body) => {
    const id = `call-${calls.size + 1}`
    const raw =
      body.kind === 'resource'
        ? { contents: [{ uri: body.name, mimeType: 'text/markdown', text: '# Atlas\n\nLe projet atlas-web.' }] }
        : body.kind === 'prompt'
          ? {
              messages: [
                { role: 'user', content: { type: 'text', text: `Résume ${JSON.stringify(body.arguments)}` } },
                { role: 'assistant', content: { type: 'text', text: 'Voici le résumé.' } },
              ],
            }
          : results[body.name]
    const more =
      body.name === 'delete_branch'
        ? { status: 'waiting', request_id: 'q1' }
        : body.name === 'get_workflow_run'
          ? {
              status: 'running',
              notices: [{ kind: 'progress', params: { progress: 3, total: 8, message: 'Étape 3 sur 8' } }],
            }
          : body.name === 'delete_repository'
            ? { error: { code: 'denied', message: 'denied', args: { tool: body.name, server: 'github' } } }
            : {
                is_error: raw?.isError ?? false,
                result: {
                  kind: 'complete',
                  raw: raw ?? { content: [{ type: 'text', text: 'ok' }] },
                  meta: { cache_hit: false, attempts: 1 },
                },
              }
    calls.set(id, view(id, body, more))
    return calls.get(id)
  }
  return {
    'GET /api/servers/github/tools': () => ({ tools: githubTools }),
    'GET /api/tools': () => ({ tools: githubTools }),
    'GET /api/servers/*/resources': () => ({
      resources: ['readme', 'schema', 'plan-comptable'].map((name) => ({
        server: 'github',
        uri: `repo://acme/${name}`,
        name,
        mime_type: 'text/markdown',
        size: 2048,
        description: 'Une ressource du dépôt.',
      })),
      templates: [{ server: 'github', uri_template: 'repo://{owner}/{repo}{?ref}', name: 'fichier' }],
    }),
    'GET /api/servers/*/prompts': () => ({
      prompts: [
        {
          server: 'github',
          name: 'cloture_mensuelle',
          title: 'Clôture mensuelle',
          description: 'Prépare la clôture.',
          arguments: [
            { name: 'mois', required: true, description: 'Au format 2026-11.' },
            { name: 'note', required: false },
          ],
        },
        { server: 'github', name: 'expliquer_ecart' },
      ],
    }),
    'POST /api/calls': start,
    'GET /api/calls/*': (_, id) => calls.get(id),
    'DELETE /api/calls/*': (_, id) => (
      calls.set(id, { ...calls.get(id), status: 'done', error: { code: 'canceled', message: 'cancelled' } }),
      {}
    ),
    'GET /api/inbox': () => ({ requests: list, waiting: list.filter(({ status }) => status === 'waiting').length }),
    'GET /api/inbox/*': (_, id) => list.find((request) => request.id === id),
    'POST /api/inbox/*/answer': (answer, id) => {
      list = list.map((request) =>
        request.id === id ? done({ ...request }, answer.scope, 0, answer.approve) : request,
      )
      return list.find((request) => request.id === id)
    },
    'GET /api/approvals': () => ({ approvals }),
    'DELETE /api/approvals/*': () => ({}),
    'GET /api/policy': () => ({ rules: kept }),
    'POST /api/policy/rules': (rule) => (
      (kept = [...kept, { ...rule, id: `n${kept.length}`, source: 'store', created_at: minutes(0) }]),
      kept.at(-1)
    ),
    'DELETE /api/policy/rules/*': (_, _part, id) => ((kept = kept.filter((rule) => rule.id !== id)), {}),
    'POST /api/policy/explain': () => ({
      verdict: 'ask',
      because: 'rule',
      rule: rules[2],
      risk: 'medium',
      steps: [
        { question: 'deny_rule', answer: 'ask', matched: false, deciding: false },
        { question: 'standing_approval', answer: 'ask', matched: false, deciding: false },
        { question: 'rule', answer: 'ask', matched: true, deciding: true, rule_id: 'r3' },
        { question: 'server_default', answer: 'ask', matched: true, deciding: false },
      ],
    }),
    'GET /api/activity': () => ({ entries, totals: { calls: 312, refused: 9, failed: 4 }, before: 0 }),
    'GET /api/audit/verify': () => ({ ok: true, entries: 18_402 }),
    'GET /api/servers/*/logs': () => ({
      lines: Array.from({ length: 60 }, (_, n) => ({
        seq: n + 1,
        at: minutes(60 - n),
        stream: ['lifecycle', 'stderr', 'server', 'stderr'][n % 4],
        text: n % 4 === 0 ? 'session ready, revision 2025-11-25' : `GET /repos/acme/atlas-web 200 (${n * 7} ms)`,
      })),
      next: 60,
    }),
    'GET /api/servers/*/traffic': () => ({
      frames: Array.from({ length: 40 }, (_, n) => ({
        seq: 174 + n + 1,
        at: minutes(40 - n),
        direction: n % 2 ? 'received' : 'sent',
        size: 60 + ((n * 977) % 4000),
        text: JSON.stringify(
          n % 2
            ? n === 33
              ? { jsonrpc: '2.0', id: n - 1, error: { code: -32602, message: 'bad' } }
              : { jsonrpc: '2.0', id: n - 1, result: {} }
            : { jsonrpc: '2.0', id: n, method: n % 4 ? 'tools/call' : 'tools/list' },
        ),
      })),
      next: 214,
    }),
    'GET /api/doctor': () => ({
      findings: [
        { check: 'data_folder', level: 'ok', detail: '/home/lea/.apollia' },
        { check: 'keyring', level: 'ok', detail: 'GNOME Keyring' },
        { check: 'path', level: 'ok', detail: '/usr/local/bin:/usr/bin:/bin' },
        { check: 'npx', level: 'ok', detail: '/usr/bin/npx 11.19.1' },
        {
          check: 'uvx',
          level: 'note',
          error: {
            code: 'program_not_found',
            message: 'uvx is not installed',
            hint: 'Install uv; servers written in Python start with uvx.',
            args: { program: 'uvx' },
          },
        },
      ],
    }),
  }
}
