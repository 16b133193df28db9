/** The nouns of the API, as backend/domain spells them on the wire. */

export type Transport = 'stdio' | 'streamable_http' | 'sse'
export type Trust = 'verified_official' | 'community' | 'custom'
export type Source = 'store' | 'config.toml'
export type Effect = 'reads' | 'writes' | 'destroys'
export type Risk = 'low' | 'medium' | 'high'
export type Verdict = 'ask' | 'allow' | 'deny'
export type Scope = 'once' | 'session' | 'always'
export type CallKind = 'tool' | 'resource' | 'prompt'
export type ServerState =
  'off' | 'installing' | 'starting' | 'needs_sign_in' | 'needs_approval' | 'ready' | 'degraded' | 'stopped'

/** A failure that a person can act on. Code is stable; the words are in locales under errors.CODE. */
export interface Failure {
  code: string
  message: string
  hint?: string
  args?: Record<string, string>
  proof?: string
}

export interface Variable {
  name: string
  value: string
  secret?: boolean
}

export interface Definition {
  name: string
  transport: Transport
  command?: string
  args?: string[]
  env?: Variable[]
  cwd?: string
  inherit_env?: boolean
  url?: string
  headers?: Variable[]
  auth?: { type: string }
  /** Milliseconds from spawn or connect until initialized; absent means 30 000. */
  timeout_ms?: number
  /** Ceiling of one message in bytes; absent means 10 MiB. */
  buffer_size?: number
  roots?: string[]
  default_verdict?: Verdict
}

export interface Implementation {
  name: string
  title?: string
  version: string
}

/** A server as people see it: its definition and its live side in one object. */
export interface Server extends Definition {
  id: string
  trust: Trust
  enabled: boolean
  source: Source
  /** Where the entry starts in config.toml, counted from 1. */
  line?: number
  created_at: string
  updated_at: string
  state: ServerState
  reason?: Failure
  since: string
  protocol_version?: string
  server_info?: Implementation
  instructions?: string
  capabilities?: Record<string, unknown>
  pid?: number
  references: number
  tools: number
  resources: number
  prompts: number
  /** What the names of its tools begin with, as other programs see them. */
  prefix: string
  last_call_at?: string
  running_calls: number
}

export interface FieldError {
  /** A path such as "name", "url", "env[2].value". */
  field: string
  error: Failure
}

export interface VariableUse {
  name: string
  field: string
  found: boolean
  /** "env" for the draft's own scope, "process" for ours, "fallback" for ${VAR:-x}. */
  from?: string
}

/** What can be said of a draft without starting anything. */
export interface Check {
  id?: string
  prefix?: string
  errors: FieldError[]
  program?: string
  search_path?: string
  variables: VariableUse[]
  passed: string[]
  preview: string
}

/** What a pasted text was recognised as. */
export interface Pasted {
  /** A stable word: "command", "url", "json", "toml", "yaml", "claude". */
  format: string
  /** What the servers were found in: a key such as "mcpServers", a command such as "claude mcp add". */
  read: string
  definitions: Definition[]
  /** How many values were recognised as secrets. */
  secrets: number
  warnings?: Failure[]
}

export interface Tool {
  server: string
  name: string
  title?: string
  description?: string
  input_schema?: Record<string, unknown>
  output_schema?: Record<string, unknown>
  effect: Effect
}

/** A tool with what the product adds to it. */
export interface ToolView extends Tool {
  fqn: string
  wire_name: string
  risk: Risk
  verdict: Verdict
  because: string
}

export interface Resource {
  server: string
  uri?: string
  uri_template?: string
  name: string
  title?: string
  description?: string
  mime_type?: string
  size?: number
}

export interface PromptArgument {
  name: string
  title?: string
  description?: string
  required: boolean
}

export interface Prompt {
  server: string
  name: string
  title?: string
  description?: string
  arguments?: PromptArgument[]
}

export type StepName =
  'resolve' | 'spawn' | 'connect' | 'handshake' | 'version' | 'capabilities' | 'tools' | 'resources' | 'prompts'

export interface TestStep {
  name: StepName
  ok: boolean
  running?: boolean
  skipped?: boolean
  start_ms: number
  ms: number
  detail?: string
}

export interface TestReport {
  id: string
  server: string
  name: string
  running: boolean
  ok: boolean
  transport: Transport
  started_at: string
  steps: TestStep[]
  warnings?: Failure[]
  error?: Failure
  protocol_version?: string
  server_info?: Implementation
  instructions?: string
  capabilities?: Record<string, unknown>
  tools: Tool[]
  resources: Resource[]
  prompts: Prompt[]
  stderr_tail?: string[]
}

export type Topic =
  | 'servers'
  | 'tests'
  | 'calls'
  | 'inbox'
  | 'approvals'
  | 'policy'
  | 'activity'
  | 'settings'
  | 'logs'
  | 'traffic'
  | 'status'

/** Says that something changed, never what it is now. Without id the whole collection changed. */
export interface Change {
  topic: Topic
  id?: string
}

export type CallerKind = 'window' | 'cli' | 'client' | 'app'

export interface Caller {
  kind: CallerKind
  name: string
  user: string
  session?: string
}

export interface Rule {
  id: string
  verdict: Verdict
  server?: string
  actions?: string[]
  client?: string
  source: Source
  line?: number
  created_at: string
}

export interface DecisionStep {
  question: string
  answer: Verdict
  matched: boolean
  deciding: boolean
  rule_id?: string
}

export interface Decision {
  verdict: Verdict
  because: string
  rule?: Rule
  risk: Risk
  steps: DecisionStep[]
}

export interface Approval {
  id: string
  scope: Scope
  caller: Caller
  server: string
  kind: CallKind
  name: string
  definition_digest: string
  start_digest: string
  created_at: string
  until?: string
}

export type RequestKind = 'tool' | 'sampling' | 'elicitation_form' | 'elicitation_url' | 'definition'
export type RequestStatus = 'waiting' | 'approved' | 'denied' | 'expired' | 'lapsed'

export interface Answer {
  approve: boolean
  scope?: Scope
  params?: Record<string, unknown>
  data?: unknown
  until?: string
}

/** Something in the inbox that waits for a person. */
export interface InboxRequest {
  id: string
  kind: RequestKind
  status: RequestStatus
  server: string
  caller: Caller
  tool: string
  call_kind?: CallKind
  params?: Record<string, unknown>
  arguments_digest?: string
  definition_digest?: string
  start_digest?: string
  effect?: Effect
  decision: Decision
  created_at: string
  expires_at?: string
  answer?: Answer & { by: Caller; at: string }
  used_at?: string
}

export interface Setting {
  key: string
  value: string
  default: string
  from: 'default' | 'store' | 'config.toml'
  line?: number
}

export interface Status {
  running: boolean
  pid: number
  url?: string
  mcp_url?: string
  problem?: Failure
  owner: 'window' | 'serve' | 'command'
  version: string
  data_folder: string
  servers: { ready: number; total: number }
  inbox: number
  calls_today: number
  secrets: { kind?: string; detail?: string; notice?: Failure }
  problems: Failure[]
}

export interface Notice {
  kind: 'waiting' | 'running' | 'progress' | 'log'
  request_id?: string
  params?: Record<string, unknown>
}

export interface CallRequest {
  server: string
  kind: CallKind
  name: string
  arguments?: Record<string, unknown>
  /** Milliseconds to stay while a person decides: 0 not at all, -1 until answered. */
  approval_wait_ms?: number
  wait_ms?: number
}

export interface Call {
  id: string
  status: 'running' | 'waiting' | 'done'
  server: string
  kind: CallKind
  name: string
  request_id?: string
  notices: Notice[]
  result?: {
    kind: 'complete' | 'input_required' | 'task'
    raw: unknown
    /** edited_params is what a person made of the arguments before approving. */
    meta: { cache_hit: boolean; attempts: number; edited_params?: unknown }
  }
  is_error: boolean
  error?: Failure
  started_at: string
  duration_ms: number
}
