import { expect, it } from 'vitest'
import { highlight } from './highlight'

it('tells keys from strings and hides secrets without changing the length', () => {
  const text = '{"API_KEY": "abcdef", "args": ["-y"]}'
  const inks = highlight(text, [])
  expect(inks.map(({ kind, text: part }) => [kind, part])).toEqual([
    ['plain', '{'],
    ['key', '"API_KEY"'],
    ['plain', ': '],
    ['string', '"'],
    ['secret', '••••••'],
    ['string', '"'],
    ['plain', ', '],
    ['key', '"args"'],
    ['plain', ': ['],
    ['string', '"-y"'],
    ['plain', ']}'],
  ])
  expect(inks.map((ink) => ink.text).join('')).toHaveLength(text.length)
})

it('leaves an open quote alone, as it is while typing', () => {
  expect(highlight('{"comm', [])).toEqual([{ kind: 'plain', text: '{"comm' }])
})
