// JSON whose numbers survive: an id of 19 digits that a server sends, or that a person types, comes back digit for digit.
import { isLosslessNumber, isSafeNumber, LosslessNumber, parse, stringify } from 'lossless-json'

export type Json = null | boolean | number | string | LosslessNumber | Json[] | JsonObject

export interface JsonObject {
  [key: string]: Json
}

/** Digits or exponents that a double might not hold. Text without any is left to the fast parser. */
const RISKY = /[\d.]{16}|\d[eE][+-]?\d{3}/

/** Reads JSON text. A number that a double cannot hold stays a LosslessNumber. Throws SyntaxError, or RangeError when nested too deep. */
export function parseJson(text: string): Json {
  if (!RISKY.test(text)) return JSON.parse(text) as Json
  return parse(text, null, {
    parseNumber: (digits) => (isSafeNumber(digits) ? Number(digits) : new LosslessNumber(digits)),
    onDuplicateKey: ({ newValue }) => newValue,
  }) as Json
}

/** Reads JSON text, or gives undefined when it is not JSON. */
export function tryParseJson(text: string): Json | undefined {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

/** Where text stops being JSON, counted in characters from 0; undefined when it is JSON. */
export function jsonErrorAt(text: string): number | undefined {
  try {
    parse(text, null, { onDuplicateKey: ({ newValue }) => newValue })
    return undefined
  } catch (error) {
    const digits = /position (\d+)/.exec(String(error))?.[1]
    return digits === undefined ? text.length : Number(digits)
  }
}

/** Writes JSON text; indent is a number of spaces. */
export function writeJson(value: Json, indent = 0): string {
  return stringify(value, null, indent || undefined) ?? 'null'
}

/** A JSON number from digits, exact whatever their count; undefined when they are not a JSON number. */
export function jsonNumber(digits: string): number | LosslessNumber | undefined {
  if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(digits)) return undefined
  return isSafeNumber(digits) ? Number(digits) : new LosslessNumber(digits)
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isLosslessNumber(value)
}

export function isNumber(value: Json | undefined): value is number | LosslessNumber {
  return typeof value === 'number' || isLosslessNumber(value)
}

/** Own member of an object, so that a key named "constructor" is not found where there is none. */
export function member(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

/** Equality of JSON values: key order does not count, numbers compare by their digits. */
export function sameJson(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true
  if (isNumber(a) && isNumber(b)) return String(a) === String(b)
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, i) => sameJson(item, b[i]))
  }
  if (!isObject(a) || !isObject(b)) return false
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key], b[key]))
}
