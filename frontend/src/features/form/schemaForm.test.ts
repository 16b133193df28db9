import { describe, expect, it } from 'vitest'
import { parseJson, writeJson, type Json } from '@/lib/json'
import type { Field, ObjectField } from './schemaField'
import { formOf } from './schemaForm'

/** A short picture of a field, for comparing whole forms. */
function sketch(field: Field): string {
  const mark = `${field.key}${field.required ? '!' : ''}${field.nullable ? '?' : ''}`
  switch (field.kind) {
    case 'choice':
    case 'choices':
      return `${mark}:${field.kind}(${field.options.map((o) => o.title || writeJson(o.value).replaceAll('"', '')).join('|')})`
    case 'list':
      return `${mark}:list[${sketch(field.item(0))}]`
    case 'variant':
      return `${mark}:variant(${field.variants.map((v) => v.title || v.type).join('|')})`
    case 'text':
      return `${mark}:text${field.format && `(${field.format})`}`
    case 'number':
      return `${mark}:${field.integer ? 'integer' : 'number'}`
    default:
      return `${mark}:${field.kind}`
  }
}

function fieldsOf(schema: Json | undefined): Field[] {
  const form = formOf(schema)
  if (form.kind !== 'object') throw new Error(`a ${form.kind} at the root`)
  return form.fields()
}

/** The only property of a schema with one property. */
function only(property: string, definitions = '{}'): Field {
  const schema = parseJson(`{"type":"object","properties":{"p":${property}},"$defs":${definitions}}`)
  const field = fieldsOf(schema)[0]
  if (!field) throw new Error('no field')
  return field
}

describe('formOf', () => {
  it.each([
    ['a string', '{"type":"string"}', 'p:text'],
    ['a date', '{"type":"string","format":"date"}', 'p:text(date)'],
    ['an unknown format', '{"type":"string","format":"regex"}', 'p:text'],
    ['an integer', '{"type":"integer"}', 'p:integer'],
    ['a number known by its limits', '{"minimum":1}', 'p:number'],
    ['a boolean', '{"type":"boolean"}', 'p:boolean'],
    ['an enum', '{"enum":["asc","desc"]}', 'p:choice(asc|desc)'],
    ['an enum with names', '{"enum":["a","b"],"enumNames":["Un","Deux"]}', 'p:choice(Un|Deux)'],
    ['titled constants', '{"oneOf":[{"const":1,"title":"Un"},{"const":2}]}', 'p:choice(Un|2)'],
    ['several of an enum', '{"type":"array","items":{"enum":["x","y"]}}', 'p:choices(x|y)'],
    ['several titled', '{"type":"array","items":{"anyOf":[{"const":"x","title":"X"}]}}', 'p:choices(X)'],
    ['a list', '{"type":"array","items":{"type":"string"}}', 'p:list[0!:text]'],
    ['a tuple', '{"prefixItems":[{"type":"integer"}],"items":{}}', 'p:list[0!:integer]'],
    ['nullable by type', '{"type":["string","null"]}', 'p?:text'],
    ['nullable by anyOf', '{"anyOf":[{"type":"integer"},{"type":"null"}],"title":"T"}', 'p?:integer'],
    [
      'nullable by oneOf of three',
      '{"oneOf":[{"type":"integer"},{"type":"string"},{"const":null}]}',
      'p?:variant(integer|string)',
    ],
    ['nullable enum', '{"enum":["a",null]}', 'p?:choice(a)'],
    ['two types', '{"type":["string","number"]}', 'p:variant(string|number)'],
    [
      'titled variants',
      '{"anyOf":[{"title":"Par id","type":"integer"},{"title":"Par nom","type":"string"}]}',
      'p:variant(Par id|Par nom)',
    ],
    [
      'discriminated variants',
      '{"oneOf":[{"properties":{"kind":{"const":"file"}}},{"properties":{"kind":{"const":"url"}}}]}',
      'p:variant(file|url)',
    ],
    ['a constant', '{"const":"v1"}', 'p:constant'],
    ['anything', 'true', 'p:json'],
    ['nothing known', '{}', 'p:json'],
    ['only null', '{"type":"null"}', 'p:json'],
    ['an unreachable reference', '{"$ref":"https://example.com/x"}', 'p:json'],
  ])('draws %s', (_, schema, want) => {
    expect(sketch(only(schema))).toBe(want)
  })

  it('follows references, also escaped ones and anchors, and lets the outer words win', () => {
    const defs = '{"a/b":{"type":"integer","title":"inner"},"c":{"$anchor":"here","type":"boolean"}}'
    const field = only('{"$ref":"#/$defs/a~1b","title":"outer"}', defs)
    expect(sketch(field)).toBe('p:integer')
    expect(field.title).toBe('outer')
    expect(sketch(only('{"$ref":"#here"}', defs))).toBe('p:boolean')
  })

  it('merges allOf: members join, limits tighten', () => {
    const schema = parseJson(`{"type":"object","required":["a"],
      "allOf":[{"properties":{"a":{"type":"integer","minimum":1}}},
               {"properties":{"a":{"minimum":5,"maximum":9},"b":{"type":"string"}},"required":["b"]}]}`)
    const fields = fieldsOf(schema)
    expect(fields.map(sketch)).toEqual(['a!:integer', 'b!:text'])
    expect(fields[0]).toMatchObject({ minimum: 5, maximum: 9 })
  })

  it('ignores branches that only demand members', () => {
    const schema = parseJson(`{"properties":{"a":{"type":"string"},"b":{"type":"string"}},
      "anyOf":[{"required":["a"]},{"required":["b"]}]}`)
    expect(fieldsOf(schema).map(sketch)).toEqual(['a:text', 'b:text'])
  })

  it('keeps shared members in every variant at the root', () => {
    const form = formOf(
      parseJson(`{"type":"object","properties":{"id":{"type":"string"}},
      "oneOf":[{"title":"A","properties":{"a":{"type":"string"}}},{"title":"B","properties":{"b":{"type":"string"}}}]}`),
    )
    expect(form.kind).toBe('variant')
    if (form.kind !== 'variant') return
    const second = form.variants[1]?.field() as ObjectField
    expect(second.fields().map((f) => f.key)).toEqual(['id', 'b'])
  })

  it('folds objects after two levels and survives a schema that contains itself', () => {
    const schema = parseJson(`{"type":"object","properties":{"node":{"$ref":"#/$defs/node"}},
      "$defs":{"node":{"type":"object","properties":{"child":{"$ref":"#/$defs/node"}}}}}`)
    const folds: boolean[] = []
    let object = formOf(schema) as ObjectField
    for (let i = 0; i < 5; i++) {
      folds.push(object.folded)
      object = object.fields()[0] as ObjectField
    }
    expect(folds).toEqual([false, false, true, true, true])
  })

  it.each([
    ['a reference to itself', '{"a":{"$ref":"#/$defs/a"}}'],
    ['two that chase each other', '{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}'],
    ['allOf of itself', '{"a":{"allOf":[{"$ref":"#/$defs/a"},{"$ref":"#/$defs/a"}]}}'],
    ['anyOf of itself', '{"a":{"anyOf":[{"$ref":"#/$defs/a"},{"type":"null"}]}}'],
  ])('ends on %s', (_, defs) => {
    expect(['json', 'variant']).toContain(only('{"$ref":"#/$defs/a"}', defs).kind)
  })

  it('ends on a schema that doubles at each of 40 levels', () => {
    const defs: Record<string, Json> = {}
    for (let i = 0; i < 40; i++) {
      defs[`d${i}`] = { allOf: [{ $ref: `#/$defs/d${i + 1}` }, { $ref: `#/$defs/d${i + 1}` }] }
    }
    const form = formOf({ properties: { p: { $ref: '#/$defs/d0' } }, $defs: defs })
    expect((form as ObjectField).fields()).toHaveLength(1)
  })

  it.each([undefined, null, true, 3, 'x', [], { type: 'string' }])('makes an open object of %j', (schema) => {
    const form = formOf(schema)
    expect(form).toMatchObject({ kind: 'object', addable: false })
    expect((form as ObjectField).extra?.('x')).toMatchObject({ kind: 'json' })
    expect((form as ObjectField).fields()).toEqual([])
  })

  it('says which members an object may have besides the named ones', () => {
    const closed = only('{"type":"object","properties":{"a":{}},"additionalProperties":false}')
    expect(closed).toMatchObject({ extra: undefined, addable: false })
    expect(only('{"type":"object"}')).toMatchObject({ addable: true })
    expect(only('{"type":"object","properties":{}}')).toMatchObject({ addable: false })
    const map = only('{"type":"object","additionalProperties":{"type":"integer"}}') as ObjectField
    expect(map.addable).toBe(true)
    expect(map.extra?.('x')).toMatchObject({ kind: 'number', key: 'x', integer: true })
  })
})
