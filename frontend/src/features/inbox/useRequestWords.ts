import { useTranslation } from 'react-i18next'
import { useServerName } from '@/features/connexions'
import { useCallerName } from '@/features/vocabulary'
import type { InboxRequest } from '@/lib/api'
import { formatSpan, formatTime } from '@/lib/format'
import { useLang } from '@/lib/i18n'
import { endKey, isQuestion, isText, isToolChange } from './ended'
import { closedAt, type Card } from './queue'
import { isNewSetup, isSetup } from './setup'

/** The short words of a card in the list. */
export function useRequestWords() {
  const { t } = useTranslation()
  const lang = useLang()
  const callerName = useCallerName()
  const serverName = useServerName()
  const answer = (request: InboxRequest) =>
    request.kind === 'tool' && request.status === 'approved'
      ? t(`inbox.scopes.${request.answer?.scope ?? 'once'}`)
      : t(endKey(request))
  const forWhom = ({ server, caller }: InboxRequest) =>
    caller.kind === 'server'
      ? serverName(server)
      : t('inbox.forWhom', { server: serverName(server), who: callerName(caller) })
  const textRoute = ({ server, text_for: isAnswer }: InboxRequest) => {
    const ends = [serverName(server), t('inbox.toModel')]
    return (isAnswer === undefined ? ends : ends.toReversed()).join(' → ')
  }
  const what = ({ request, same }: Card) => {
    const { kind, tool: name, params } = request
    const server = serverName(request.server)
    if (isText(request)) return t(request.text_for === undefined ? 'inbox.text.short' : 'inbox.text.shortWritten')
    if (isSetup(request)) return t(isNewSetup(request) ? 'inbox.setup.shortNew' : 'inbox.setup.short', { server })
    if (isToolChange(request))
      return t(params?.before === undefined ? 'inbox.definition.newRow' : 'inbox.definition.row', { name })
    if (kind === 'elicitation_url') return t('inbox.page.short')
    if (isQuestion(request)) return t('inbox.asks.question', { server })
    return same.length > 1 ? `${name} ${t('inbox.times', { count: same.length })}` : name
  }
  return {
    answer,
    what,
    who: (request: InboxRequest) => {
      const route = isSetup(request)
        ? 'config.toml'
        : request.kind === 'sampling'
          ? textRoute(request)
          : isQuestion(request) || isToolChange(request)
            ? forWhom(request)
            : `${callerName(request.caller)} → ${serverName(request.server)}`
      return request.status === 'waiting' ? route : `${route} · ${answer(request)}`
    },
    when: (request: InboxRequest, now: Date) =>
      request.status === 'waiting'
        ? formatSpan(Math.max(0, now.getTime() - Date.parse(request.created_at)), lang)
        : formatTime(closedAt(request) || request.created_at, lang),
  }
}
