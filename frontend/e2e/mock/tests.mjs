// The two live tests of the design's pictures: one that fails in the handshake, one that passes.
const step = (name, start_ms, ms, detail, ok = true) => ({ name, ok, start_ms, ms, detail })
const tool = (name, effect) => ({ server: 'postgres_compta', name, effect })

const common = (id, definition) => ({
  id,
  server: 'postgres_compta',
  name: definition.name,
  running: false,
  transport: definition.transport,
  started_at: new Date().toISOString(),
  tools: [],
  resources: [],
  prompts: [],
})

export const failed = (id, definition) => ({
  ...common(id, definition),
  ok: false,
  steps: [
    step('resolve', 0, 8, '/home/lea/.nvm/versions/node/v22.11.0/bin/npx'),
    step('spawn', 8, 214, 'pid 48213'),
    step('handshake', 222, 962, '', false),
  ],
  error: {
    code: 'server_exited',
    message: 'The program ended with code 1.',
    hint: 'Read its last lines.',
    args: { exit_code: '1', variable: 'DATABASE_URL' },
    proof:
      '[mcp-postgres] starting, schema=compta\nError: DATABASE_URL is not set\n    at loadConfig (/…/mcp-postgres/dist/config.js:41:11)',
  },
})

export const passed = (id, definition) => ({
  ...common(id, definition),
  ok: true,
  protocol_version: '2025-06-18',
  server_info: { name: 'acme-postgres', version: '1.4.2' },
  capabilities: { tools: {}, resources: {}, prompts: {}, logging: {} },
  steps: [
    step('resolve', 0, 7, '/home/lea/.nvm/versions/node/v22.11.0/bin/npx'),
    step('spawn', 7, 1489, 'pid 48377'),
    step('handshake', 1496, 318, 'initialize'),
    step('version', 1814, 2, '2025-06-18'),
    step('capabilities', 1816, 2, 'tools, resources, prompts, logging'),
    step('tools', 1818, 60, '12'),
    step('resources', 1878, 14, '4'),
    step('prompts', 1892, 10, '2'),
  ],
  tools: [
    tool('list_tables', 'reads'),
    tool('describe_table', 'reads'),
    tool('run_select', 'reads'),
    tool('explain_query', 'reads'),
    tool('list_schemas', 'reads'),
    tool('list_indexes', 'reads'),
    tool('sample_rows', 'reads'),
    tool('insert_rows', 'writes'),
    tool('update_rows', 'writes'),
    tool('refresh_view', 'writes'),
    tool('run_migration', 'writes'),
    tool('drop_table', 'destroys'),
  ],
  resources: [
    { server: 'x', uri: 'compta://schema', name: 'schema' },
    { server: 'x', uri: 'compta://exercices/2025', name: 'exercices' },
    { server: 'x', uri: 'compta://plan-comptable', name: 'plan' },
    { server: 'x', uri_template: 'compta://exports/{mois}', name: 'exports' },
  ],
  prompts: [
    { server: 'x', name: 'cloture_mensuelle' },
    { server: 'x', name: 'expliquer_ecart' },
  ],
  warnings: [{ code: 'not_json_rpc', message: '3 lines on stdout were not JSON-RPC', args: { lines: '3' } }],
})
