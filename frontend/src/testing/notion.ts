// The server "notion" as the tests of its page see it: two tools, a template, a prompt, and how its calls end.
import type { Call, ToolView } from '@/lib/api'
import { aServer } from './core'

export const aTool = (name: string, change: Partial<ToolView> = {}): ToolView => ({
  server: 'notion',
  name,
  effect: 'reads',
  fqn: `mcp_notion.${name}`,
  wire_name: `mcp_notion__${name}`,
  risk: 'medium',
  verdict: 'allow',
  because: 'rule',
  input_schema: { type: 'object', properties: {} },
  ...change,
})
export const search = aTool('search', {
  input_schema: {
    type: 'object',
    required: ['query'],
    properties: { query: { type: 'string', title: 'Query' }, limit: { type: 'integer', title: 'Limit', maximum: 9 } },
  },
})
export const drop = aTool('drop', { effect: 'destroys', verdict: 'deny', because: 'deny_rule' })

export const finished = (change: Partial<Call>): Call => ({
  id: 'c1',
  status: 'done',
  server: 'notion',
  kind: 'tool',
  name: 'search',
  notices: [],
  sent: true,
  is_error: false,
  started_at: '2026-11-26T16:04:00Z',
  duration_ms: 12,
  ...change,
})
export const result = (raw: unknown): Partial<Call> => ({
  result: { kind: 'complete', raw, meta: { cache_hit: false, attempts: 1 } },
})

export const capabilities = { tools: {}, resources: {}, prompts: {} }
export const server = aServer({ capabilities, tools: 2, resources: 1, prompts: 1 })
