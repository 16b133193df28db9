// What the rules of the policy say and match, as backend/policy reads them.
import type { CallKind, Rule } from '@/lib/api'

/** The pattern that matches exactly this name. */
export function quote(name: string): string {
  return name.replace(/[\\*?[{]/g, '\\$&')
}

/** The action that names exactly this tool, resource or prompt. */
export function actionOf(kind: CallKind, name: string): string {
  if (kind !== 'tool') return `${kind}:${quote(name)}`
  return /^(resource|prompt):/.test(name) ? `\\${quote(name)}` : quote(name)
}

/** Splits an action into the kind of call it speaks of and the pattern of its names. */
export function splitAction(action: string): { kind: CallKind; pattern: string } {
  const other = /^(resource|prompt):(.*)$/s.exec(action)
  return other ? { kind: other[1] as CallKind, pattern: other[2] ?? '' } : { kind: 'tool', pattern: action }
}

/** Whether a pattern is one name only. */
export function isExact(pattern: string): boolean {
  return !/[*?]/.test(pattern.replace(/\\./gs, ''))
}

/** The name that an exact pattern means; a pattern with wildcards as it is written. */
export function shown(pattern: string): string {
  return isExact(pattern) ? pattern.replace(/\\(.)/gs, '$1') : pattern
}

/** Whether a name fits a pattern: * is any characters, ? is one, \ takes the meaning from the next. */
export function globMatches(pattern: string, name: string): boolean {
  const symbols = [...pattern.matchAll(/\\(.)|[\s\S]/gs)].map(([whole, escaped]) => escaped ?? whole)
  const wild = [...pattern.matchAll(/\\(.)|[\s\S]/gs)].map(([whole]) => whole === '*' || whole === '?')
  let at = 0
  let star = -1
  let resume = 0
  for (let i = 0; i < name.length;) {
    if (wild[at] && symbols[at] === '*') {
      star = at++
      resume = i
    } else if (at < symbols.length && ((wild[at] && symbols[at] === '?') || symbols[at] === name[i])) {
      at++
      i++
    } else if (star >= 0) {
      at = star + 1
      i = ++resume
    } else return false
  }
  while (wild[at] && symbols[at] === '*') at++
  return at === symbols.length
}

export interface Asked {
  server: string
  kind: CallKind
  name: string
  client: string
}

/** Whether a rule speaks of a call. Empty patterns match everything. */
export function ruleMatches(rule: Pick<Rule, 'server' | 'actions' | 'client'>, asked: Asked): boolean {
  if (rule.server && !globMatches(rule.server, asked.server)) return false
  if (rule.client && !globMatches(rule.client, asked.client)) return false
  const actions = rule.actions ?? []
  return (
    actions.length === 0 ||
    actions.some((action) => {
      const { kind, pattern } = splitAction(action)
      return kind === asked.kind && pattern !== '' && globMatches(pattern, asked.name)
    })
  )
}

/** Whether a rule sets one thing of one server, and so belongs to the list of what is set tool by tool. */
export function isPerTool({ server, actions }: Pick<Rule, 'server' | 'actions'>): boolean {
  const [only, ...others] = actions ?? []
  return (
    Boolean(server) &&
    isExact(server ?? '') &&
    only !== undefined &&
    others.length === 0 &&
    isExact(splitAction(only).pattern)
  )
}

export interface RuleWords {
  /** A server or a pattern of servers; empty for all. */
  server: string
  /** Names or patterns; none for everything. */
  names: string[]
  client: string
}

/** The parts of a rule as a person reads them. */
export function wordsOf({
  server = '',
  actions = [],
  client = '',
}: Pick<Rule, 'server' | 'actions' | 'client'>): RuleWords {
  const names = actions.map((action) => {
    const { kind, pattern } = splitAction(action)
    return kind === 'tool' ? shown(pattern) : `${kind}:${shown(pattern)}`
  })
  return { server: server === '*' ? '' : shown(server), names, client: client === '*' ? '' : shown(client) }
}
