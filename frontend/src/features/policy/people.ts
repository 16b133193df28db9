import { useTranslation } from 'react-i18next'
import type { Approval, Entry, Rule } from '@/lib/api'
import { isExact, shown } from './rules'

/** The names of those who may call: our own doors, and everyone that a rule, an approval or the journal names. */
export function callerNames(
  rules: readonly Rule[],
  approvals: readonly Approval[],
  entries: readonly Entry[],
): string[] {
  const named = [
    ...rules.flatMap(({ client }) => (client && isExact(client) ? [shown(client)] : [])),
    ...approvals.map(({ caller }) => caller.name),
    ...entries.map(({ caller }) => caller.name),
  ]
  const others = [...new Set(named)].filter((name) => !isDoor(name) && name !== '')
  return ['window', 'cli', ...others.toSorted((a, b) => a.localeCompare(b))]
}

/** Whether a caller's name is one of our own doors. */
export function isDoor(name: string): name is 'window' | 'cli' {
  return name === 'window' || name === 'cli'
}

/** What a person calls a caller that is known by its name only. */
export function usePersonName(): (name: string) => string {
  const { t } = useTranslation()
  return (name) => (isDoor(name) ? t(`callers.${name}`) : name)
}
