import { describe, expect, it } from 'vitest'
import { isObject, jsonErrorAt, jsonNumber, member, parseJson, sameJson, tryParseJson, writeJson } from './json'

describe('parseJson and writeJson', () => {
  it.each([
    '{"id":9007199254740993}',
    '{"price":0.1000000000000000055511151231257827}',
    '{"huge":1e400}',
    '{"__proto__":{"x":1},"b":[1,2.5,true,null,"é\\u2028"]}',
  ])('keeps every digit and key of %s', (text) => {
    expect(writeJson(parseJson(text))).toBe(text.replace('\\u2028', '\u2028'))
  })

  it('gives plain numbers where a double is exact', () => {
    expect(parseJson('[1,2.5]')).toEqual([1, 2.5])
  })

  it('does not throw on bad or very deep text when asked politely', () => {
    expect(tryParseJson('{')).toBeUndefined()
    expect(tryParseJson('['.repeat(200_000))).toBeUndefined()
    expect(tryParseJson(`[12345678901234567890,${'['.repeat(200_000)}`)).toBeUndefined()
  })

  it('takes the last of two members of one name, as the fast parser does', () => {
    expect(writeJson(parseJson('{"a":1,"a":2}'))).toBe('{"a":2}')
    expect(writeJson(parseJson('{"a":1,"a":12345678901234567890}'))).toBe('{"a":12345678901234567890}')
  })

  it('leaves out what is undefined', () => {
    expect(writeJson({ a: undefined, b: 1 } as never)).toBe('{"b":1}')
  })

  it('indents', () => {
    expect(writeJson({ a: [1] }, 2)).toBe('{\n  "a": [\n    1\n  ]\n}')
  })
})

it.each<[string, number | undefined]>([
  ['{"a": 1,\n  "b": }', 16],
  ['{"a":1', 6],
  ['{"a":1}', undefined],
  ['{"a":1,"a":2}', undefined],
])('finds where %j stops being JSON', (text, at) => {
  expect(jsonErrorAt(text)).toBe(at)
})

describe('jsonNumber', () => {
  it.each([
    ['12', 12],
    ['-0.5', -0.5],
    ['1e3', 1000],
    ['', undefined],
    ['01', undefined],
    ['1,5', undefined],
    ['0x10', undefined],
    ['NaN', undefined],
  ])('reads %j as %j', (text, want) => {
    expect(jsonNumber(text)).toBe(want)
  })

  it('keeps digits a double would lose', () => {
    expect(String(jsonNumber('9007199254740993'))).toBe('9007199254740993')
  })
})

describe('sameJson', () => {
  it.each([
    ['{"a":1,"b":[2]}', '{"b":[2],"a":1}', true],
    ['9007199254740993', '9007199254740992', false],
    ['[1,2]', '[2,1]', false],
    ['{"a":null}', '{}', false],
    ['{}', '[]', false],
    ['null', 'false', false],
  ])('%s and %s: %s', (a, b, want) => {
    expect(sameJson(parseJson(a), parseJson(b))).toBe(want)
  })
})

it('tells objects from arrays and numbers, and reads own members only', () => {
  expect(isObject(parseJson('9007199254740993'))).toBe(false)
  expect(isObject([])).toBe(false)
  expect(isObject({})).toBe(true)
  expect(member({}, 'constructor')).toBeUndefined()
})
