import { expect, it } from 'vitest'
import { closed, draftOf, opened, typed } from './draft'

it('takes what is an object and keeps the last one while the text is none', () => {
  let draft = opened(draftOf({ a: 1 }))
  expect(draft.text).toBe('{\n  "a": 1\n}')
  draft = typed(draft, '{"a":2}')
  expect(draft).toMatchObject({ value: { a: 2 }, valid: true })
  for (const text of ['{"a":', '[1]', '3', '']) {
    expect(typed(draft, text)).toMatchObject({ value: { a: 2 }, valid: false, text })
  }
  expect(closed(draft)).toMatchObject({ value: { a: 2 }, text: undefined, original: { a: 1 } })
})

it('keeps every digit of an id', () => {
  const draft = typed(draftOf({}), '{"id":9007199254740993}')
  expect(opened(draft).text).toContain('9007199254740993')
})
