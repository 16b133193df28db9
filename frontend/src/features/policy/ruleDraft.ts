import type { Entry, NewRule, Verdict } from '@/lib/api'
import { quote, ruleMatches } from './rules'

/** A rule while it is being made. Empty server, action and client mean every one. */
export interface RuleDraft {
  verdict: Verdict
  /** The id of a server. */
  server: string
  /** A pattern of tool names, or "resource:…" or "prompt:…". */
  action: string
  /** A caller's name. */
  client: string
}

export function newRuleOf({ verdict, server, action, client }: RuleDraft): NewRule {
  const actions = action.trim() === '' ? {} : { actions: [action.trim()] }
  return {
    verdict,
    server: server === '' ? '*' : quote(server),
    ...actions,
    ...(client === '' ? {} : { client: quote(client) }),
  }
}

/** How many of these calls would have been answered otherwise. A rule that ranks lower may have less effect than that. */
export function effectOf(draft: RuleDraft, entries: readonly Entry[]): number {
  const rule = newRuleOf(draft)
  return entries.filter(
    ({ kind, verdict, server, call_kind, name, caller }) =>
      kind === 'outcome' &&
      verdict !== undefined &&
      verdict !== '' &&
      verdict !== rule.verdict &&
      ruleMatches(rule, { server, kind: call_kind ?? 'tool', name, client: caller.name }),
  ).length
}
