// The values of a form are the JSON that will be sent: every edit makes a new JSON value and keeps what it does not touch.
import {
  isNumber,
  isObject,
  jsonErrorAt,
  jsonNumber,
  member,
  parseJson,
  sameJson,
  type Json,
  type JsonObject,
} from '@/lib/json'
import type { Field, ListField, NumberField, ObjectField, TextField, Variant } from './schemaField'

/** Required parts nest at most this deep in a first value; a schema that requires itself has no valid value anyway. */
const MAX_DEPTH = 6

/** The value a field starts with: its default, else the emptiest thing that a required field can be; undefined = absent. */
export function initialValue(field: Field, depth = 0): Json | undefined {
  if (field.fallback !== undefined) return field.fallback
  if (!field.required || depth > MAX_DEPTH) return undefined
  switch (field.kind) {
    case 'object':
      return initialMembers(field, depth)
    case 'boolean':
      return false
    case 'constant':
      return field.value
    case 'choice':
      return field.options.length === 1 ? field.options[0]?.value : undefined
    case 'choices':
      return []
    case 'list':
      return initialItems(field, depth)
    case 'variant':
      return field.variants[0] && initialValue(field.variants[0].field(), depth + 1)
    default:
      return undefined
  }
}

function initialMembers(field: ObjectField, depth: number): JsonObject {
  const out: JsonObject = {}
  for (const child of field.fields()) {
    const value = initialValue(child, depth + 1)
    if (value !== undefined) out[child.key] = value
  }
  return out
}

function initialItems(field: ListField, depth: number): Json[] {
  const count = Math.min(field.minItems, 10)
  return Array.from({ length: count }, (_, i) => initialValue(field.item(i), depth + 1) ?? null)
}

/** Sets or, with undefined, removes one member. An optional object that becomes empty disappears with its last member. */
export function withMember(
  field: ObjectField,
  object: Json | undefined,
  key: string,
  next: Json | undefined,
): JsonObject | undefined {
  const before = isObject(object) ? object : {}
  if (next !== undefined) return { ...before, [key]: next }
  const rest = Object.entries(before).filter(([name]) => name !== key)
  return rest.length === 0 && !field.required ? undefined : Object.fromEntries(rest)
}

/** Replaces or, with undefined, removes one item. */
export function withItem(list: readonly Json[], index: number, next: Json | undefined): Json[] {
  return next === undefined ? list.filter((_, i) => i !== index) : list.map((item, i) => (i === index ? next : item))
}

/** Moves one item by one place; at the ends nothing moves. */
export function moveItem(list: readonly Json[], index: number, by: -1 | 1): Json[] {
  const out = [...list]
  const target = index + by
  const item = out[index]
  if (item === undefined || target < 0 || target >= out.length) return out
  out.splice(index, 1)
  out.splice(target, 0, item)
  return out
}

/** The members of a value that the schema does not name, in the order of the value. */
export function extraKeys(field: ObjectField, value: Json | undefined): string[] {
  if (!isObject(value)) return []
  const named = new Set(field.fields().map((child) => child.key))
  return Object.keys(value).filter((key) => !named.has(key))
}

/** Whether the field's widget can show the value without losing anything. If not, its JSON is shown instead. */
export function fits(field: Field, value: Json | undefined): boolean {
  if (value === undefined) return true
  if (value === null) return field.kind === 'json' || field.kind === 'variant' || field.nullable
  switch (field.kind) {
    case 'text':
      return typeof value === 'string'
    case 'number':
      return isNumber(value)
    case 'boolean':
      return typeof value === 'boolean'
    case 'choice':
      return field.options.some((option) => sameJson(option.value, value))
    case 'choices':
      return (
        Array.isArray(value) &&
        isSelection(
          field.options.map((o) => o.value),
          value,
        )
      )
    case 'list':
      return Array.isArray(value)
    case 'object':
      return isObject(value)
    case 'constant':
      return sameJson(field.value, value)
    default:
      return true
  }
}

function isSelection(options: readonly Json[], value: readonly Json[]): boolean {
  return value.every(
    (item, i) =>
      options.some((option) => sameJson(option, item)) && value.findIndex((other) => sameJson(other, item)) === i,
  )
}

/** Adds or removes one value of a multiple choice; the order is the one of the options. */
export function toggled(options: readonly Json[], list: readonly Json[], value: Json): Json[] {
  const had = list.some((item) => sameJson(item, value))
  return options.filter((option) => (sameJson(option, value) ? !had : list.some((item) => sameJson(item, option))))
}

/** The variant that a value belongs to, the first for an absent one; -1 when it belongs to none. */
export function variantOf(variants: readonly Variant[], value: Json | undefined): number {
  if (value === undefined) return variants.length > 0 ? 0 : -1
  const scores = variants.map((variant) => score(variant.field(), value))
  const best = Math.max(...scores)
  return best > 0 ? scores.indexOf(best) : -1
}

/** 0 = not this one. Constants that agree and required members that are there speak for a variant. */
function score(field: Field, value: Json): number {
  if (!fits(field, value)) return 0
  if (field.kind !== 'object' || !isObject(value)) return 1
  let points = 1
  for (const child of field.fields()) {
    const held = member(value, child.key)
    if (child.kind === 'constant' && held !== undefined) {
      if (!sameJson(child.value, held)) return 0
      points += 4
    } else if (held === undefined) {
      points -= child.required ? 0.1 : 0
    } else if (fits(child, held)) {
      points += 1
    }
  }
  return Math.max(points, 0.01)
}

/** The value after choosing another variant: its first value, with what the old one already said in the same words. */
export function inVariant(variant: Variant, value: Json | undefined): Json | undefined {
  const field = variant.field()
  const fresh = initialValue(field)
  if (field.kind !== 'object' || !isObject(value)) return fresh
  const out: JsonObject = isObject(fresh) ? { ...fresh } : {}
  for (const child of field.fields()) {
    const held = member(value, child.key)
    if (held !== undefined && child.kind !== 'constant' && fits(child, held)) out[child.key] = held
  }
  return out
}

/** What a text or number widget shows for a value. */
export function toText(value: Json | undefined): string {
  return typeof value === 'string' || isNumber(value) ? String(value) : ''
}

/** Reads what was typed into a text widget. Empty = absent. A number that is none yet stays a string, for check to say so. */
export function fromText(field: TextField | NumberField, text: string): Json | undefined {
  if (text === '') return undefined
  if (field.kind === 'text') return text
  const trimmed = text.trim().replace(/^(-?\d+),(\d+)$/, '$1.$2')
  return jsonNumber(trimmed) ?? text
}

export type JsonText = { ok: true; value: JsonObject } | { ok: false; line: number; column: number }

/** Reads the JSON mode's text, which must be an object; empty text is an empty object. */
export function fromJsonText(text: string): JsonText {
  if (text.trim() === '') return { ok: true, value: {} }
  const failure = jsonErrorAt(text)
  if (failure === undefined) {
    const value = parseJson(text)
    if (isObject(value)) return { ok: true, value }
  }
  const before = text.slice(0, failure ?? 0).split('\n')
  return { ok: false, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}
