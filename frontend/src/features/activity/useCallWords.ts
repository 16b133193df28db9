import { useTranslation } from 'react-i18next'
import { useFailureWords } from '@/features/vocabulary'
import type { Tone } from '@/ui'
import type { JournalCall } from './calls'

export interface CallWords {
  text: string
  tone: Tone
}

/** Failures that have a word shorter than their sentence. */
const short = [
  'call_timeout',
  'server_exited',
  'connection_closed',
  'message_too_large',
  'invalid_arguments',
  'server_off',
]

/** Why a call was let through or stopped, in a few words. */
export function useCallWords(): (call: JournalCall, waits: boolean, asked?: boolean) => CallWords {
  const { t } = useTranslation()
  const failure = useFailureWords()
  return (call, waits, asked = false) => {
    const { entry, outcome } = call
    const { code = '', verdict = '', because = '' } = entry
    switch (outcome) {
      case 'running':
        if (asked) return { text: t('activity.why.asked'), tone: 'attn' }
        return waits
          ? { text: t('activity.why.waits'), tone: 'attn' }
          : { text: t('activity.why.running'), tone: 'accent' }
      case 'refused':
        return { text: t([`activity.why.refused.${code}`, 'activity.why.refused.other']), tone: 'neutral' }
      case 'cancelled':
        return { text: t('activity.why.cancelled'), tone: 'neutral' }
      case 'cancelled_sent':
      case 'unknown':
        return { text: t(`activity.outcomes.${outcome}`), tone: 'attn' }
      case 'failed':
        if (entry.outcome === 'tool_error') return { text: t('activity.why.toolError'), tone: 'danger' }
        if (short.includes(code)) return { text: t(`activity.why.failed.${code}`), tone: 'danger' }
        return { text: failure({ code: code || 'internal', message: code }).what, tone: 'danger' }
      case 'succeeded':
        return {
          text: t([`activity.why.let.${verdict}.${because}`, `activity.why.let.${verdict || 'none'}.other`]),
          tone: 'neutral',
        }
    }
  }
}

/** How a call ended, in a word: of a refused one who or what refused it, since nobody may have. */
export function useOutcomeWord(): (call: JournalCall) => string {
  const { t } = useTranslation()
  const words = useCallWords()
  return (call) => (call.outcome === 'refused' ? words(call, false).text : t(`activity.outcomes.${call.outcome}`))
}
