import { expect, it } from 'vitest'
import { lettersOf } from './letters'

it('gives each letter outside of ASCII its code', () => {
  expect(lettersOf('pay.example')).toEqual([{ text: 'pay.example' }])
  expect(lettersOf('\u0430c\u0430.fr')).toEqual([
    { text: '\u0430', code: 'U+0430' },
    { text: 'c' },
    { text: '\u0430', code: 'U+0430' },
    { text: '.fr' },
  ])
  expect(lettersOf('\u{1f600}')).toEqual([{ text: '\u{1f600}', code: 'U+1F600' }])
})
