import type { i18n } from 'i18next'
import { useTranslation } from 'react-i18next'
import type { ApiError, Failure } from '@/lib/api'

export interface FailureWords {
  /** What happened, in one sentence. */
  what: string
  /** What to do next. */
  fix: string
  /** What happened in as few words as there are, without facts, for a row. */
  short: string
}

type Named = Pick<Failure, 'code' | 'message' | 'hint' | 'args'> | ApiError

const placeholder = /\{\{(\w+)\}\}/g

/**
 * Says a failure in the person's language. errors.CODE.more is used when the failure has all the facts it names, else
 * errors.CODE.what; a code without words is said as the core said it.
 */
export function sayFailure(words: i18n, failure: Named): FailureWords {
  const say = (part: string): string | undefined => {
    const key = `errors.${failure.code}.${part}`
    if (!words.exists(key)) return undefined
    const template: unknown = words.getResource(words.language, 'translation', key)
    const needed = typeof template === 'string' ? [...template.matchAll(placeholder)].map(([, name]) => name ?? '') : []
    const args = failure.args ?? {}
    return needed.every((name) => args[name]) ? words.t(key, args) : undefined
  }
  return {
    what: say(`reasons.${failure.args?.reason ?? ''}`) ?? say('more') ?? say('what') ?? failure.message,
    fix: say('do') ?? failure.hint ?? '',
    short: (say('what') ?? failure.message).replace(/\.$/, ''),
  }
}

/** A function that says failures, and anything else that was thrown. */
export function useFailureWords(): (error: unknown) => FailureWords {
  const { i18n } = useTranslation()
  return (error) => sayFailure(i18n, isNamed(error) ? error : { code: 'internal', message: String(error) })
}

/** What a maker of the program needs to know of a failure: its code, its own words and its proof. */
export function diagnosisOf(error: unknown): string {
  if (!isNamed(error)) return String(error)
  const { code, message, hint = '', args = {} } = error
  const proof = 'proof' in error && typeof error.proof === 'string' ? error.proof : ''
  const facts = Object.entries(args).map(([name, value]) => `${name}: ${value}`)
  return [`${code}: ${message}`, hint, ...facts, proof, navigator.userAgent].filter((line) => line !== '').join('\n')
}

function isNamed(error: unknown): error is Named {
  return typeof error === 'object' && error !== null && 'code' in error && 'message' in error
}
