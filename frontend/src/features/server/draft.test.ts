import { expect, it } from 'vitest'
import { brokenAt, draftOf, recalled, withMode, withText } from './draft'

const schema = { type: 'object', properties: { n: { type: 'integer', default: 3 } } }

it('starts with the defaults, in fields', () => {
  expect(draftOf(schema)).toMatchObject({ value: { n: 3 }, text: undefined, tried: false })
  expect(draftOf(undefined).value).toEqual({})
})

it('goes to JSON and back without loss, unknown members included', () => {
  let draft = withMode(draftOf(schema), 'json')
  expect(draft.text).toBe('{\n  "n": 3\n}')
  draft = withText(draft, '{"n": 9007199254740993, "x": {"y": []}}')
  draft = withMode(withMode(draft, 'fields'), 'json')
  expect(draft.text?.replace(/\s/g, '')).toBe('{"n":9007199254740993,"x":{"y":[]}}')
})

it('says where the text is broken and keeps the last value', () => {
  const draft = withText(withMode(draftOf(schema), 'json'), '{"n":')
  expect(draft.value).toEqual({ n: 3 })
  expect(brokenAt(draft)).toMatchObject({ line: 1, column: 6 })
  expect(brokenAt(withMode(draft, 'fields'))).toBeUndefined()
})

it('recalls earlier arguments in the mode that is open', () => {
  expect(recalled(draftOf(schema), { n: 9 })).toMatchObject({ value: { n: 9 }, text: undefined })
  expect(recalled(withMode(draftOf(schema), 'json'), { n: 9 }).text).toBe('{\n  "n": 9\n}')
})
