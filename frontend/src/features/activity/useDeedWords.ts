import { useTranslation } from 'react-i18next'
import { useServerName } from '@/features/connexions'
import { useCallerName } from '@/features/vocabulary'
import type { Entry } from '@/lib/api'
import { titleOf } from './calls'
import type { JournalDeed } from './deeds'

/** Who did something, and what it was, as one sentence in two halves. */
export function useDeedWords(): (deed: JournalDeed) => { who: string; what: string } {
  const { t } = useTranslation()
  const serverName = useServerName()
  const callerName = useCallerName()
  return ({ entry }) => {
    const { kind, name, detail = '', verdict, scope } = entry
    const server = entry.server === '' ? '' : serverName(entry.server) || entry.server
    const tool = titleOf(entry, server)
    const facts = {
      server: server || t('activity.deeds.everywhere'),
      name,
      tool,
      subject: t(`activity.deeds.subjects.${entry.request_kind ?? 'tool'}`, { tool, server }),
      what: name || t('activity.deeds.everything'),
      detail,
      verdict: t(`verdicts.${verdict ?? 'ask'}`),
      deed: t([`activity.deeds.personal.${name}`, 'activity.deeds.personal.other'], { name }),
      scope: t(`activity.deeds.scopes.${scope || 'once'}`),
    }
    const edited = kind === 'answer' && detail === 'edited' ? ` ${t('activity.deeds.edited')}` : ''
    const isText = kind === 'approval' && name === 'sampling/createMessage'
    const key = isText ? 'texts' : keyOf(entry)
    const means = meaningOf(entry)
    return {
      who: entry.caller.name === '' ? t('activity.deeds.nobody') : callerName(entry.caller),
      what: t([`activity.deeds.${key}.${means}`, `activity.deeds.${key}.other`], facts) + edited,
    }
  }
}

/** What a line tells, as a key of its words: how something ended, or why a request did. */
function meaningOf({ kind, outcome, detail = '' }: Entry): string {
  if (kind === 'request') return detail
  return kind === 'settings' && detail === '' ? 'bare' : (outcome ?? 'other')
}

const answered: Partial<Record<NonNullable<Entry['request_kind']>, string>> = {
  definition: 'change',
  sampling: 'text',
  elicitation_url: 'page',
}

/** Answers to the questions of servers, and to changes of what they are, have words of their own. */
function keyOf({ kind, request_kind = 'tool' }: Entry): string {
  if (kind !== 'answer' || request_kind === 'tool') return kind
  return answered[request_kind] ?? 'question'
}
