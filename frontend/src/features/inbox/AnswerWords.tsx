import { useTranslation } from 'react-i18next'
import { useCallerName } from '@/features/vocabulary'
import type { Caller, InboxRequest } from '@/lib/api'
import { formatWhen } from '@/lib/format'
import { useLang } from '@/lib/i18n'
import { StateWord } from '@/ui'
import { endKey, isText } from './ended'

/** Whether an approval says how long it lasts: that of a call does, that of a text where it is for more than the one. */
const isLasting = (request: InboxRequest) =>
  request.kind === 'tool' || (isText(request) && request.answer?.scope === 'session')

/** How a request ended: the answer, who gave it, when, and whether it was used. */
export function AnswerWords({ request }: { request: InboxRequest }) {
  const { t } = useTranslation()
  const lang = useLang()
  const callerName = useCallerName()
  const { answer, status } = request
  const answerer = (by: Caller) =>
    by.kind === 'window' || by.kind === 'cli' ? t(`inbox.closed.you.${by.kind}`) : callerName(by)
  const approved = status === 'approved'
  const bySession = isText(request) && request.decision.because === 'standing_approval'
  const isPass = approved && request.kind === 'tool' && answer?.scope === 'once' && request.used_at === undefined
  return (
    <span className="flex flex-wrap items-center justify-end gap-x-2">
      <StateWord
        shape={approved && !request.failure ? 'done' : status === 'waiting' ? 'hold' : 'denied'}
        tone={approved && !request.failure ? 'ok' : 'neutral'}
      >
        {t(endKey(request))}
        {approved && isLasting(request) && ` · ${t(`inbox.scopes.${answer?.scope ?? 'once'}`)}`}
      </StateWord>
      {bySession && <span>{t('inbox.text.bySession')}</span>}
      {answer && !bySession && (
        <span>{t('inbox.closed.by', { who: answerer(answer.by), when: formatWhen(answer.at, lang) })}</span>
      )}
      {isPass && <span>{t('inbox.closed.pass')}</span>}
    </span>
  )
}
