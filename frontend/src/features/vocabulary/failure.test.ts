import { beforeAll, expect, it } from 'vitest'
import { startI18n } from '@/lib/i18n'
import { diagnosisOf, sayFailure } from './failure'

let words: ReturnType<typeof startI18n>
beforeAll(() => {
  words = startI18n('fr')
})

it('says a failure with its facts', () => {
  const failure = { code: 'program_not_found', message: 'not found', args: { program: 'npx' } }
  expect(sayFailure(words, failure).what).toBe('Le programme «\u00a0npx\u00a0» est introuvable.')
})

it('leaves out a fact that is missing rather than show a hole', () => {
  expect(sayFailure(words, { code: 'program_not_found', message: 'not found' }).what).toBe(
    'Le programme est introuvable.',
  )
})

it('falls back on the words of the core for a code it does not know', () => {
  const failure = { code: 'brand_new', message: 'something new happened', hint: 'do this' }
  expect(sayFailure(words, failure)).toEqual({
    what: 'something new happened',
    fix: 'do this',
    short: 'something new happened',
  })
})

it('gives the makers of the program the code, the proof and the facts of a failure', () => {
  const failure = { code: 'internal', message: 'it broke', hint: 'try again', args: { file: 'a.db' }, proof: 'line 3' }
  expect(diagnosisOf(failure).split('\n').slice(0, 4)).toEqual([
    'internal: it broke',
    'try again',
    'file: a.db',
    'line 3',
  ])
  expect(diagnosisOf(new TypeError('no such thing'))).toBe('TypeError: no such thing')
})
