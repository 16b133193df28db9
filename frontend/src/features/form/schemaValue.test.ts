import { describe, expect, it } from 'vitest'
import { parseJson, writeJson, type Json } from '@/lib/json'
import type { Field, ListField, NumberField, ObjectField, TextField, Variant } from './schemaField'
import { formOf } from './schemaForm'
import {
  extraKeys,
  fits,
  fromJsonText,
  fromText,
  initialValue,
  inVariant,
  moveItem,
  toggled,
  toText,
  variantOf,
  withItem,
  withMember,
} from './schemaValue'

function form(text: string): ObjectField {
  return formOf(parseJson(text)) as ObjectField
}

function property(text: string): Field {
  const field = form(`{"properties":{"p":${text}}}`).fields()[0]
  if (!field) throw new Error('no field')
  return field
}

describe('initialValue', () => {
  it.each([
    [
      'defaults, optional ones too',
      '{"properties":{"a":{"type":"integer","default":3},"b":{"type":"string"}}}',
      '{"a":3}',
    ],
    [
      'required constants, booleans and lists',
      '{"required":["c","b","l"],"properties":{"c":{"const":"v1"},"b":{"type":"boolean"},"l":{"type":"array","items":{"type":"string"}}}}',
      '{"c":"v1","b":false,"l":[]}',
    ],
    [
      'required objects, all the way',
      '{"required":["o"],"properties":{"o":{"type":"object","required":["x"],"properties":{"x":{"type":"boolean"}}}}}',
      '{"o":{"x":false}}',
    ],
    [
      'no optional object',
      '{"properties":{"o":{"type":"object","properties":{"x":{"default":1,"type":"integer"}}}}}',
      '{}',
    ],
    ['the only choice', '{"required":["e"],"properties":{"e":{"enum":["one"]}}}', '{"e":"one"}'],
    [
      'as many items as the list needs',
      '{"required":["l"],"properties":{"l":{"type":"array","minItems":2,"items":{"type":"boolean"}}}}',
      '{"l":[false,false]}',
    ],
    ['nothing for a text to fill in', '{"required":["t"],"properties":{"t":{"type":"string"}}}', '{}'],
  ])('has %s', (_, schema, want) => {
    expect(writeJson(initialValue(form(schema)) ?? null)).toBe(want)
  })

  it('ends on an object that requires itself', () => {
    const value = initialValue(form('{"required":["o"],"properties":{"o":{"$ref":"#"}}}'))
    expect(writeJson(value ?? null).length).toBeLessThan(100)
  })
})

describe('editing', () => {
  const schema = form(
    '{"properties":{"a":{"type":"string"},"o":{"type":"object","properties":{"x":{"type":"string"}}}}}',
  )

  it('keeps members the schema does not know, and every digit', () => {
    const before = parseJson('{"zz":9007199254740993,"a":"1"}')
    expect(writeJson(withMember(schema, before, 'a', '2') ?? null)).toBe('{"zz":9007199254740993,"a":"2"}')
    expect(extraKeys(schema, before)).toEqual(['zz'])
  })

  it('drops an optional object with its last member, never the root', () => {
    const inner = schema.fields()[1] as ObjectField
    expect(withMember(inner, { x: '1' }, 'x', undefined)).toBeUndefined()
    expect(withMember(schema, { a: '1' }, 'a', undefined)).toEqual({})
  })

  it('replaces, removes and moves items', () => {
    expect(withItem([1, 2, 3], 1, 9)).toEqual([1, 9, 3])
    expect(withItem([1, 2, 3], 1, undefined)).toEqual([1, 3])
    expect(moveItem([1, 2, 3], 0, 1)).toEqual([2, 1, 3])
    expect(moveItem([1, 2, 3], 0, -1)).toEqual([1, 2, 3])
    expect(moveItem([1, 2, 3], 2, 1)).toEqual([1, 2, 3])
  })

  it('toggles in the order of the options', () => {
    expect(toggled(['a', 'b', 'c'], ['c'], 'a')).toEqual(['a', 'c'])
    expect(toggled(['a', 'b', 'c'], ['a', 'c'], 'a')).toEqual(['c'])
  })
})

describe('fits', () => {
  it.each<[string, string, Json, boolean]>([
    ['text', '{"type":"string"}', 'a', true],
    ['a number in a text', '{"type":"string"}', 1, false],
    ['a big number', '{"type":"integer"}', parseJson('9007199254740993'), true],
    ['a value outside an enum', '{"enum":["a"]}', 'b', false],
    ['a repeated value in a selection', '{"type":"array","items":{"enum":["a"]}}', ['a', 'a'], false],
    ['null where it is allowed', '{"type":["string","null"]}', null, true],
    ['null where it is not', '{"type":"string"}', null, false],
    ['another constant', '{"const":1}', 2, false],
    ['a list in an object', '{"type":"object"}', [], false],
  ])('%s', (_, schema, value, want) => {
    expect(fits(property(schema), value)).toBe(want)
  })
})

describe('variants', () => {
  const field = property(`{"oneOf":[
    {"title":"File","type":"object","required":["kind","path"],"properties":{"kind":{"const":"file"},"path":{"type":"string"}}},
    {"title":"Url","type":"object","required":["kind","url"],"properties":{"kind":{"const":"url"},"url":{"type":"string"},"path":{"type":"string"}}},
    {"type":"string"}]}`)
  const variants: Variant[] = field.kind === 'variant' ? field.variants : []

  it.each<[string, Json | undefined, number]>([
    ['absent', undefined, 0],
    ['the second by its constant', { kind: 'url', path: 'x' }, 1],
    ['the first by its constant', { kind: 'file' }, 0],
    ['a string', 'x', 2],
    ['none', 4, -1],
  ])('finds %s', (_, value, want) => {
    expect(variantOf(variants, value)).toBe(want)
  })

  it('carries over what both variants name, but not the constant', () => {
    const url = variants[1]
    expect(url && inVariant(url, { kind: 'file', path: 'p', other: 1 })).toEqual({ kind: 'url', path: 'p' })
  })

  it('has an answer for a variant that contains itself', () => {
    const self = property('{"$ref":"#/$defs/none","anyOf":[{"$ref":"#/properties/p"},{"type":"string"}]}')
    expect(self.kind === 'variant' && variantOf(self.variants, 'x')).toBe(0)
  })
})

describe('text', () => {
  const number = property('{"type":"number"}') as NumberField
  const text = property('{"type":"string"}') as TextField

  it.each<[string, Json | undefined]>([
    ['', undefined],
    ['12', 12],
    [' 2,5 ', 2.5],
    ['1e', '1e'],
    ['1 000', '1 000'],
  ])('reads %j in a number', (typed, want) => {
    expect(fromText(number, typed)).toEqual(want)
  })

  it('gives back what was typed', () => {
    for (const typed of ['9007199254740993', '0.1', '-3']) {
      expect(toText(fromText(number, typed))).toBe(typed)
    }
    expect(toText(fromText(text, ' a '))).toBe(' a ')
    expect(toText(true)).toBe('')
  })
})

describe('JSON mode', () => {
  it('goes there and back without loss', () => {
    const text = '{"a":[1,{"b":null}],"id":12345678901234567890}'
    const read = fromJsonText(text)
    expect(read.ok && writeJson(read.value)).toBe(text)
    expect(fromJsonText('  ')).toEqual({ ok: true, value: {} })
  })

  it.each([
    ['{"a": 1,\n  "b": }', 2, 8],
    ['[1]', 1, 1],
    ['{"a":1', 1, 7],
  ])('says where %j stops making sense', (text, line, column) => {
    expect(fromJsonText(text)).toEqual({ ok: false, line, column })
  })
})

it('gives list items a field each', () => {
  const list = property('{"type":"array","items":{"type":"integer"}}') as ListField
  expect(list.item(4)).toMatchObject({ key: '4', kind: 'number', required: true })
})
