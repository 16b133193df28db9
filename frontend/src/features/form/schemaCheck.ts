// Says what is still wrong with a form's value, field by field, before anything is sent. The core validates again.
import { isNumber, isObject, member, type Json } from '@/lib/json'
import type { Field, ListField, NumberField, ObjectField, TextField } from './schemaField'
import { fits, variantOf } from './schemaValue'

export type IssueCode =
  | 'required'
  | 'type'
  | 'number'
  | 'integer'
  | 'minimum'
  | 'maximum'
  | 'above'
  | 'below'
  | 'too_short'
  | 'too_long'
  | 'too_few'
  | 'too_many'
  | 'date'
  | 'date-time'
  | 'time'
  | 'email'
  | 'uri'
  | 'uuid'

export interface Issue {
  /** JSON pointer of the value, "" for the whole. */
  at: string
  code: IssueCode
  /** The limit that was passed, for the sentence. */
  limit?: number
}

/** JSON pointer (RFC 6901) of a member. */
export function pointer(at: string, key: string): string {
  return `${at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/** Everything that would make the server or the core refuse the value, as far as a form can know. */
export function issuesOf(field: Field, value: Json | undefined, at = ''): Issue[] {
  if (value === undefined) return field.required ? [{ at, code: 'required' }] : []
  if (value === null && field.nullable) return []
  if (field.kind === 'number' && !isNumber(value)) return [{ at, code: 'number' }]
  if (field.kind === 'text' && typeof value === 'string') return textIssues(field, value, at)
  if (!fits(field, value)) return [{ at, code: 'type' }]
  switch (field.kind) {
    case 'number':
      return numberIssues(field, Number(value), at)
    case 'choices':
      return countIssues(field, value, at)
    case 'list':
      return [...countIssues(field, value, at), ...itemIssues(field, value, at)]
    case 'object':
      return memberIssues(field, value, at)
    case 'variant': {
      const variant = field.variants[variantOf(field.variants, value)]
      return variant ? issuesOf(variant.field(), value, at) : [{ at, code: 'type' }]
    }
    default:
      return []
  }
}

function memberIssues(field: ObjectField, value: Json, at: string): Issue[] {
  if (!isObject(value)) return []
  return field.fields().flatMap((child) => issuesOf(child, member(value, child.key), pointer(at, child.key)))
}

function itemIssues(field: ListField, value: Json, at: string): Issue[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((item, i) => issuesOf(field.item(i), item, pointer(at, String(i))))
}

function countIssues(
  field: { minItems: number; maxItems: number; required: boolean },
  value: Json,
  at: string,
): Issue[] {
  const count = Array.isArray(value) ? value.length : 0
  if (count < field.minItems) return [{ at, code: 'too_few', limit: field.minItems }]
  if (count > field.maxItems) return [{ at, code: 'too_many', limit: field.maxItems }]
  return []
}

function numberIssues(field: NumberField, value: number, at: string): Issue[] {
  if (field.integer && !Number.isInteger(value)) return [{ at, code: 'integer' }]
  const { minimum, maximum, above, below } = field
  if (minimum !== undefined && value < minimum) return [{ at, code: 'minimum', limit: minimum }]
  if (maximum !== undefined && value > maximum) return [{ at, code: 'maximum', limit: maximum }]
  if (above !== undefined && value <= above) return [{ at, code: 'above', limit: above }]
  if (below !== undefined && value >= below) return [{ at, code: 'below', limit: below }]
  return []
}

/** Lengths are counted in code points, as JSON Schema does. */
function textIssues(field: TextField, value: string, at: string): Issue[] {
  const length = Array.from(value).length
  const { minLength, maxLength } = field
  if (minLength !== undefined && length < minLength) return [{ at, code: 'too_short', limit: minLength }]
  if (maxLength !== undefined && length > maxLength) return [{ at, code: 'too_long', limit: maxLength }]
  // The schema's pattern is not run here: a server could freeze the window with it. The core checks it.
  if (field.format !== '' && !matchesFormat(field.format, value)) return [{ at, code: field.format }]
  return []
}

const DATE = /^\d{4}-\d{2}-\d{2}$/
const TIME = /^\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})?$/i
const DATE_TIME = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/i
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const EMAIL = /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/

function matchesFormat(format: Exclude<TextField['format'], ''>, value: string): boolean {
  switch (format) {
    case 'date':
      return DATE.test(value) && !Number.isNaN(Date.parse(value))
    case 'date-time':
      return DATE_TIME.test(value) && !Number.isNaN(Date.parse(value))
    case 'time':
      return TIME.test(value)
    case 'email':
      return EMAIL.test(value)
    case 'uri':
      return /^[a-z][a-z0-9+.-]*:\S+$/i.test(value)
    case 'uuid':
      return UUID.test(value)
  }
}
