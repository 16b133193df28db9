import { describe, expect, it } from 'vitest'
import { parseJson, type Json } from '@/lib/json'
import { issuesOf, pointer } from './schemaCheck'
import { formOf } from './schemaForm'

function check(property: string, value: Json): string[] {
  const form = formOf(parseJson(`{"type":"object","properties":{"p":${property}}}`))
  return issuesOf(form, { p: value }).map(({ at, code, limit }) =>
    limit === undefined ? `${at} ${code}` : `${at} ${code} ${limit}`,
  )
}

describe('issuesOf', () => {
  it.each<[string, string, Json, string[]]>([
    ['a good text', '{"type":"string"}', 'x', []],
    ['a short text', '{"type":"string","minLength":3}', 'é😀', ['/p too_short 3']],
    ['a long text, in code points', '{"type":"string","maxLength":2}', 'é😀', []],
    ['a bad address', '{"type":"string","format":"email"}', 'karim@acme', ['/p email']],
    ['a good address', '{"type":"string","format":"email"}', 'karim@acme.fr', []],
    ['a day that is not', '{"type":"string","format":"date"}', '2025-13-01', ['/p date']],
    ['an instant without zone', '{"type":"string","format":"date-time"}', '2025-11-26T15:02:00', ['/p date-time']],
    ['an instant', '{"type":"string","format":"date-time"}', '2025-11-26T15:02:00Z', []],
    ['a bare host for a URI', '{"type":"string","format":"uri"}', 'example.com', ['/p uri']],
    ['text in a number', '{"type":"number"}', '1e', ['/p number']],
    ['a half integer', '{"type":"integer"}', 1.5, ['/p integer']],
    ['too little', '{"type":"integer","minimum":1,"maximum":100}', 0, ['/p minimum 1']],
    ['too much', '{"type":"integer","minimum":1,"maximum":100}', 101, ['/p maximum 100']],
    ['on an exclusive limit', '{"type":"number","exclusiveMinimum":0}', 0, ['/p above 0']],
    ['below an exclusive limit', '{"type":"number","exclusiveMaximum":5}', 5, ['/p below 5']],
    ['too few items', '{"type":"array","minItems":1,"items":{"type":"string"}}', [], ['/p too_few 1']],
    ['a bad item', '{"type":"array","items":{"type":"integer"}}', [1, 'x'], ['/p/1 number']],
    [
      'too many of a selection',
      '{"type":"array","maxItems":1,"items":{"enum":["a","b"]}}',
      ['a', 'b'],
      ['/p too_many 1'],
    ],
    ['a foreign choice', '{"enum":["a"]}', 'b', ['/p type']],
    ['null allowed', '{"type":["integer","null"]}', null, []],
    ['no variant', '{"oneOf":[{"type":"string"},{"type":"integer"}]}', true, ['/p type']],
    ['inside a variant', '{"oneOf":[{"type":"string","minLength":2},{"type":"integer"}]}', 'x', ['/p too_short 2']],
    [
      'a missing member of a member',
      '{"type":"object","required":["x"],"properties":{"x":{"type":"string"}}}',
      {},
      ['/p/x required'],
    ],
    ['a pattern is left to the core', '{"type":"string","pattern":"^(a+)+$"}', 'aaaa!', []],
  ])('%s', (_, schema, value, want) => {
    expect(check(schema, value)).toEqual(want)
  })

  it('wants what is required', () => {
    expect(issuesOf(formOf({ type: 'object', properties: { p: { type: 'string' } }, required: ['p'] }), {})).toEqual([
      { at: '/p', code: 'required' },
    ])
  })
})

it('escapes pointers', () => {
  expect(pointer('/a', 'b/c~d')).toBe('/a/b~1c~0d')
})
