// Makes the model of a form from a JSON Schema 2020-12. Nested parts are made when they are opened, so a schema that
// refers to itself costs nothing.
import { isNumber, isObject, member, type Json, type JsonObject } from '@/lib/json'
import type { Base, Field, NumberField, ObjectField, Option, TextField, Variant } from './schemaField'
import { asList, flatten, merge, splitNull } from './schemaResolve'

interface Place {
  root: Json
  key: string
  required: boolean
  depth: number
}

const FOLD_DEPTH = 2
/** How many properties of one object are drawn; the others are reached in JSON mode. */
export const MAX_FIELDS = 200

/** The form of a tool's input schema. Anything that is not an object schema becomes an open object. */
export function formOf(schema: Json | undefined): Field {
  const root = schema ?? {}
  const place: Place = { root, key: '', required: true, depth: 0 }
  const field = fieldOf(root, place)
  if (field.kind === 'object' || field.kind === 'variant') return field
  return objectField(baseOf({}, place, false), {}, place)
}

function fieldOf(raw: Json | undefined, place: Place): Field {
  const { schema, nullable } = splitNull(flatten(raw, place.root), place.root)
  const base = baseOf(schema, place, nullable)
  const constant = member(schema, 'const')
  if (constant !== undefined) return { ...base, kind: 'constant', value: constant }
  const options = optionsOf(schema, place.root)
  if (options) return { ...base, kind: 'choice', options }
  const variants = variantsOf(schema, place)
  if (variants) return { ...base, kind: 'variant', variants }
  return plainField(base, schema, place)
}

function plainField(base: Base, schema: JsonObject, place: Place): Field {
  switch (typeOf(schema)) {
    case 'string':
      return textField(base, schema)
    case 'integer':
    case 'number':
      return numberField(base, schema)
    case 'boolean':
      return { ...base, kind: 'boolean' }
    case 'array':
      return listField(base, schema, place)
    case 'object':
      return objectField(base, schema, place)
    default:
      return { ...base, kind: 'json' }
  }
}

function baseOf(schema: JsonObject, place: Place, nullable: boolean): Base {
  return {
    key: place.key,
    title: textOf(schema.title),
    help: textOf(schema.description),
    required: place.required,
    nullable,
    deprecated: schema.deprecated === true,
    fallback: member(schema, 'default'),
    examples: asList(schema.examples),
  }
}

function typeOf(schema: JsonObject): string {
  const type = asList(schema.type)
  if (type.length === 1 && typeof type[0] === 'string') return type[0]
  if (type.length > 1) return ''
  const has = (...keywords: string[]) => keywords.some((k) => member(schema, k) !== undefined)
  if (has('properties', 'additionalProperties', 'required', 'patternProperties')) return 'object'
  if (has('items', 'prefixItems', 'minItems', 'maxItems')) return 'array'
  if (has('pattern', 'format', 'minLength', 'maxLength')) return 'string'
  if (has('minimum', 'maximum', 'multipleOf')) return 'number'
  return ''
}

const FORMATS = ['date', 'date-time', 'time', 'email', 'uri', 'uuid'] as const

function textField(base: Base, schema: JsonObject): TextField {
  const maxLength = sizeOf(schema.maxLength)
  return {
    ...base,
    kind: 'text',
    format: FORMATS.find((format) => format === schema.format) ?? '',
    multiline:
      schema.contentMediaType !== undefined ||
      (maxLength ?? 0) > 200 ||
      [base.fallback, ...base.examples].some((v) => typeof v === 'string' && v.includes('\n')),
    minLength: sizeOf(schema.minLength),
    maxLength,
    pattern: textOf(schema.pattern) || undefined,
  }
}

function numberField(base: Base, schema: JsonObject): NumberField {
  return {
    ...base,
    kind: 'number',
    integer: typeOf(schema) === 'integer',
    minimum: sizeOf(schema.minimum),
    maximum: sizeOf(schema.maximum),
    above: sizeOf(schema.exclusiveMinimum),
    below: sizeOf(schema.exclusiveMaximum),
  }
}

function listField(base: Base, schema: JsonObject, place: Place): Field {
  const minItems = sizeOf(schema.minItems) ?? 0
  const maxItems = sizeOf(schema.maxItems) ?? Infinity
  const options = optionsOf(flatten(schema.items, place.root), place.root)
  if (options) return { ...base, kind: 'choices', options, minItems, maxItems }
  const leading = asList(schema.prefixItems)
  const item = (index: number) =>
    fieldOf(leading[index] ?? schema.items, {
      root: place.root,
      key: String(index),
      required: true,
      depth: place.depth + 1,
    })
  return { ...base, kind: 'list', item, minItems, maxItems }
}

function objectField(base: Base, schema: JsonObject, place: Place): ObjectField {
  const properties = isObject(schema.properties) ? schema.properties : {}
  const names = Object.keys(properties)
  const required = asList(schema.required)
  const child = (raw: Json | undefined, key: string, must: boolean) =>
    fieldOf(raw, { root: place.root, key, required: must, depth: place.depth + 1 })
  const open = schema.additionalProperties
  return {
    ...base,
    kind: 'object',
    fields: () => names.slice(0, MAX_FIELDS).map((name) => child(properties[name], name, required.includes(name))),
    extra: open === false ? undefined : (key) => child(isObject(open) ? open : true, key, false),
    // An object without any word on its members is a tool without arguments at the root, and a map inside.
    addable: open === true || isObject(open) || (open === undefined && !isObject(schema.properties) && place.depth > 0),
    folded: place.depth >= FOLD_DEPTH,
  }
}

/** The fixed values of an enum, or of a oneOf or anyOf made of constants; undefined when it is neither. */
function optionsOf(schema: JsonObject, root: Json): Option[] | undefined {
  if (Array.isArray(schema.enum)) {
    const names = asList(schema.enumNames)
    return schema.enum.map((value, i) => ({ value, title: textOf(names[i]) }))
  }
  const branches = schema.oneOf ?? schema.anyOf
  if (!Array.isArray(branches) || branches.length === 0) return undefined
  const options: Option[] = []
  for (const branch of branches) {
    const flat = flatten(branch, root)
    const value = member(flat, 'const')
    if (value === undefined || member(flat, 'properties') !== undefined) return undefined
    options.push({ value, title: textOf(flat.title) || textOf(flat.description) })
  }
  return options
}

function variantsOf(schema: JsonObject, place: Place): Variant[] | undefined {
  const { oneOf, anyOf, ...shared } = schema
  const branches = [oneOf, anyOf]
    .flatMap((list) => (Array.isArray(list) ? list : []))
    .map((branch) => flatten(branch, place.root))
    .filter(drawable)
  if (branches.length > 0) {
    const whole = branches.map((branch) => merge({ ...shared, title: '' }, branch))
    return whole.map((branch) => variantOf(branch, place))
  }
  const types = asList(schema.type)
  if (types.length < 2) return undefined
  return types.map((type) => variantOf({ ...shared, title: '', type }, place))
}

function variantOf(schema: JsonObject, place: Place): Variant {
  return {
    title: textOf(schema.title) || discriminator(schema),
    type: typeOf(schema),
    field: () => fieldOf(schema, { ...place, required: true }),
  }
}

/** The constant that tells an untitled branch from its sisters, such as {"kind": {"const": "file"}}. */
function discriminator(schema: JsonObject): string {
  const properties = isObject(schema.properties) ? Object.values(schema.properties) : []
  const constant = properties
    .map((property) => (isObject(property) ? member(property, 'const') : undefined))
    .find((value) => typeof value === 'string')
  return textOf(constant)
}

/** A branch that only demands or forbids members is a check, not a choice for a person. */
function drawable(branch: JsonObject): boolean {
  return Object.keys(branch).some(
    (key) => !['required', 'not', 'dependentRequired', 'minProperties', 'maxProperties'].includes(key),
  )
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}

function sizeOf(value: Json | undefined): number | undefined {
  return isNumber(value) ? Number(value) : undefined
}
