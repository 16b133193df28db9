import type { components } from './schema'

/** The nouns of the API, under the names that the interface uses. schema.d.ts is made by "make gen". */
type Schema = components['schemas']

/** T with some members typed more closely than JSON Schema says. */
type With<T, Closer> = Omit<T, keyof Closer> & Closer
type JsonObject = Record<string, unknown>

/** A failure that a person can act on. Code is stable; the words are in locales under errors.CODE. */
export type Failure = Schema['Error']

export type Variable = Schema['Variable']
/** timeout_ms are milliseconds, 30 000 when absent; buffer_size are bytes, 10 MiB when absent. */
export type Definition = Schema['Definition']
export type Transport = Definition['transport']
/** How to sign in; what is absent is discovered. */
export type Auth = Schema['Auth']
export type Implementation = Schema['Implementation']

/** A server as people see it: its definition and its live side in one object. */
export type RootsChange = Schema['RootsChange']
export type Server = With<Schema['View'], { capabilities?: JsonObject }>
export type ServerState = Server['state']
export type Trust = Server['trust']
export type Source = Server['source']

/** A server that announces itself on the local network. All of it is a stranger's word. */
export type NetworkServer = Schema['NetworkServer']
/** What is seen of the local network, and what it sees of our servers. */
export type NetworkView = Schema['NetworkView']
export type Announcement = Schema['Announcement']

/** A tool as an agent sees it. */
export type SeenTool = Schema['SeenTool']
/** One that a search found, with why. */
export type ToolHit = Schema['ToolHit']
export type Reason = Schema['Reason']
/** At a glance what a caller sees. */
export type ToolboxView = Schema['Overview']

export type Check = Schema['Check']
export type FieldError = Schema['FieldError']
export type VariableUse = Schema['VariableUse']
export type Pasted = Schema['Pasted']

export type Tool = With<Schema['Tool'], { input_schema?: JsonObject; output_schema?: JsonObject }>
/** A tool with what the product adds to it. */
export type ToolView = With<Schema['ToolView'], { input_schema?: JsonObject; output_schema?: JsonObject }>
export type TextFinding = Schema['TextFinding']
export type Effect = Tool['effect']
export type Risk = ToolView['risk']
export type Verdict = ToolView['verdict']
export type Resource = Schema['Resource']
export type Prompt = Schema['Prompt']
export type Completion = Schema['Completion']
export type Completions = Schema['Completions']
export type Subscription = Schema['Subscription']
export type LogLevel = Schema['LogLevel']
export type PromptArgument = Schema['PromptArgument']
/** What a server teaches (SEP-2640); its files are read one by one, like resources. */
export type Skill = Schema['Skill']
export type SkillFile = Schema['SkillFile']

export type TestStep = Schema['TestStep']
export type StepName = TestStep['name']
export type TestReport = With<Schema['TestReport'], { capabilities?: JsonObject; tools: Tool[] }>

/** A sign-in; while it runs, authorize_url is to be opened in a browser. */
export type SignIn = Schema['SignIn']
export type SignInState = Schema['SignInState']
/** Whom a server is signed in to, without its tokens. */
export type SignedIn = Schema['Summary']

export type Caller = Schema['Caller']
export type CallerKind = Caller['kind']
export type Rule = Schema['Rule']
export type Decision = Schema['Decision']
export type DecisionStep = Schema['DecisionStep']
export type Approval = Schema['Approval']
export type Scope = Approval['scope']

/** Something in the inbox that waits for a person. */
export type InboxRequest = With<Schema['Request'], { params?: JsonObject }>
export type RequestKind = InboxRequest['kind']
export type RequestStatus = InboxRequest['status']
export type Answer = With<Schema['AnswerRequest'], { params?: JsonObject }>

/** A changed definition, laid out for a person. */
export type DefinitionChange = Schema['DefinitionChange']
export type ChangedPart = Schema['Change']
export type ChangedLine = Schema['Line']
/** What to know before a text is asked of the model. */
export type TextOutlook = Schema['TextOutlook']

export type Setting = Schema['SettingView']
/** Whether a text can be asked of the model; ms are milliseconds. */
export type Readiness = Schema['Readiness']
export type Status = Schema['Status']
export type Halted = Schema['Halted']
/** What a new key of the secrets costs: secrets to give again, and where their old values are. */
export type Renewal = Schema['Renewal']
export type Finding = Schema['Finding']

export type Notice = With<Schema['Notice'], { params?: JsonObject }>
/** approval_wait_ms are milliseconds to stay while a person decides: 0 not at all, -1 until answered. */
export type CallRequest = With<Schema['CallRequest'], { arguments?: JsonObject }>
export type CallKind = CallRequest['kind']
/** A call of our own doors. Arguments are there unless they are long; sent is false while its server provably lacks it. */
export type Call = With<Schema['CallView'], { notices: Notice[]; arguments?: JsonObject }>

/**
 * One line of the journal. A call has an intent line before it starts, a verdict line before anything follows from that, and
 * an outcome line after it ended. The outcome of any other line says what was done.
 */
export type Entry = With<
  Schema['Entry'],
  {
    kind: 'intent' | 'verdict' | 'outcome' | DeedKind
    outcome?: CallOutcome | Deed
  }
>
export type CallOutcome = 'ok' | 'tool_error' | 'error' | 'refused' | 'canceled' | 'unknown'
export type DeedKind =
  'answer' | 'request' | 'rule' | 'approval' | 'sign_in' | 'server' | 'settings' | 'budget' | 'journal'
export type Deed =
  | 'approved'
  | 'reached'
  | 'denied'
  | 'expired'
  | 'lapsed'
  | 'added'
  | 'changed'
  | 'removed'
  | 'restored'
  | 'enabled'
  | 'disabled'
  | 'connected'
  | 'disconnected'
  | 'reconnected'
  | 'roots_changed'
  | 'revoked'
  | 'ended'
  | 'renewed'
  | 'loss_accepted'
  | 'stopped'
  | 'resumed'
  | 'begun'
  | 'signed_in'
  | 'given_up'
  | 'signed_out'
  | 'tokens_revoked'
/** What happened since midnight. */
export type Totals = Schema['Totals']
/** A stretch of the journal, newest first; before is the sequence number to continue with, 0 at the end. */
export type Activity = With<Schema['Activity'], { entries: Entry[] }>
/** Whether the chain of the journal holds. */
export type ChainReport = Schema['Report']

/** One line of what a server wrote, or of what happened to it. */
export type LogLine = With<Schema['LogLine'], { stream: LogStream }>
export type LogStream = 'stderr' | 'stdout' | 'server' | 'lifecycle'
/** One JSON-RPC message as it went over the wire, secrets masked; size is the whole message's, in bytes. */
export type Frame = With<Schema['Frame'], { direction: 'sent' | 'received' }>

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
  | 'resources'
  | 'status'
  | 'network'

/** Says that something changed, never what it is now. Without id the whole collection changed. */
export interface Change {
  topic: Topic
  id?: string
}
