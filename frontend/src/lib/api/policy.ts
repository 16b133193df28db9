import { path, request } from './client'
import type { Halted, CallKind, Decision, Failure, Rule, Verdict } from './types'

export interface RuleList {
  rules: Rule[]
  /** What is wrong with config.toml; the rules of its last good version then stay in force. */
  problem?: Failure
  /** That rules and approvals were lost: what they would allow is asked until a person accepts it. */
  lost?: Failure
}

export interface NewRule {
  verdict: Verdict
  server: string
  actions?: string[]
  client?: string
}

export const listRules = (signal?: AbortSignal) => request<RuleList>('GET', '/api/policy', undefined, signal)

export const addRule = (rule: NewRule) => request<Rule>('POST', '/api/policy/rules', rule)

export const deleteRule = (id: string) => request<unknown>('DELETE', path`/api/policy/rules/${id}`)

/** Takes the rules as they are for all there are, although some were lost. */
export const acceptLoss = () => request<unknown>('POST', '/api/policy/accept-loss')

/** Ends all running calls, and holds new ones. */
export const stopCalls = () => request<Halted>('POST', '/api/stop-calls')

/** Lets calls go on. */
export const resumeCalls = () => request<unknown>('POST', '/api/resume-calls')

export const explain = (
  why: { server: string; name: string; kind?: CallKind; caller?: string },
  signal?: AbortSignal,
) => request<Decision>('POST', '/api/policy/explain', why, signal)
