// Flattens one node of a JSON Schema 2020-12: references followed, allOf merged, null set apart. Never loops.
import { isNumber, isObject, member, sameJson, type Json, type JsonObject } from '@/lib/json'

/** How many nodes one flattening may visit, so that a hostile schema cannot grow without end. */
const MAX_VISITS = 500

/** Follows $ref and merges allOf until neither is left. A reference that loops or leads nowhere allows anything. */
export function flatten(schema: Json | undefined, root: Json): JsonObject {
  let visits = 0
  const visit = (node: Json | undefined, seen: readonly string[]): JsonObject => {
    visits += 1
    if (node === false) return { not: {} }
    if (!isObject(node) || visits > MAX_VISITS) return {}
    const { $ref, allOf, ...own } = node
    let flat: JsonObject = own
    if (typeof $ref === 'string' && !seen.includes($ref)) {
      flat = merge(visit(lookUp(root, $ref), [...seen, $ref]), own)
    }
    if (!Array.isArray(allOf)) return flat
    return allOf.reduce<JsonObject>((sum, part) => merge(sum, visit(part, seen)), flat)
  }
  return visit(schema, [])
}

/** Finds what a local reference points at: "#", a JSON pointer (RFC 6901) or an $anchor among the definitions. */
function lookUp(root: Json, ref: string): Json | undefined {
  const id = isObject(root) ? member(root, '$id') : undefined
  const fragment = typeof id === 'string' && ref.startsWith(`${id}#`) ? ref.slice(id.length) : ref
  if (fragment === '#' || fragment === '') return root
  if (fragment.startsWith('#/')) return followPointer(root, fragment.slice(2))
  if (!fragment.startsWith('#') || !isObject(root)) return undefined
  const definitions = [member(root, '$defs'), member(root, 'definitions')].filter(isObject)
  return definitions
    .flatMap((group) => Object.values(group))
    .find((node) => isObject(node) && member(node, '$anchor') === fragment.slice(1))
}

function followPointer(root: Json, pointer: string): Json | undefined {
  let node: Json | undefined = root
  for (const raw of pointer.split('/')) {
    const step = decodeStep(raw)
    if (Array.isArray(node)) node = node[Number(step)]
    else if (isObject(node)) node = member(node, step)
    else return undefined
  }
  return node
}

function decodeStep(raw: string): string {
  let step = raw
  try {
    step = decodeURIComponent(raw)
  } catch {
    // Not percent-encoded after all: the text is the name.
  }
  return step.replaceAll('~1', '/').replaceAll('~0', '~')
}

/** Both schemas at once. Limits tighten, properties join, words of b win. */
export function merge(a: JsonObject, b: JsonObject): JsonObject {
  const out: JsonObject = { ...a }
  for (const [key, theirs] of Object.entries(b)) {
    const ours = member(a, key)
    out[key] = ours === undefined ? theirs : mergeKeyword(key, ours, theirs)
  }
  return out
}

function mergeKeyword(key: string, ours: Json, theirs: Json): Json {
  switch (key) {
    case 'properties':
    case 'patternProperties':
      return isObject(ours) && isObject(theirs) ? mergeProperties(ours, theirs) : theirs
    case 'required':
      return [...new Set([...asList(ours), ...asList(theirs)])]
    case 'enum':
      return asList(ours).filter((value) => asList(theirs).some((other) => sameJson(value, other)))
    case 'type':
      return intersectTypes(asList(ours), asList(theirs))
    case 'minimum':
    case 'exclusiveMinimum':
    case 'minLength':
    case 'minItems':
      return isNumber(ours) && isNumber(theirs) && Number(ours) > Number(theirs) ? ours : theirs
    case 'maximum':
    case 'exclusiveMaximum':
    case 'maxLength':
    case 'maxItems':
      return isNumber(ours) && isNumber(theirs) && Number(ours) < Number(theirs) ? ours : theirs
    default:
      return theirs
  }
}

function mergeProperties(ours: JsonObject, theirs: JsonObject): JsonObject {
  const out: JsonObject = { ...ours }
  for (const [name, schema] of Object.entries(theirs)) {
    const mine = member(ours, name)
    // Left unmerged until the property is drawn: it may refer back to where we are.
    out[name] = mine === undefined ? schema : { allOf: [mine, schema] }
  }
  return out
}

function intersectTypes(ours: Json[], theirs: Json[]): Json {
  const both = ours.filter((type) => theirs.includes(type) || (type === 'integer' && theirs.includes('number')))
  if (ours.includes('number') && theirs.includes('integer')) both.push('integer')
  return both.length === 1 ? (both[0] ?? null) : both
}

export function asList(value: Json | undefined): Json[] {
  if (value === undefined) return []
  return Array.isArray(value) ? value : [value]
}

/** Sets null apart: a form draws the rest of the schema and remembers that null may be sent. */
export function splitNull(schema: JsonObject, root: Json): { schema: JsonObject; nullable: boolean } {
  const out: JsonObject = { ...schema }
  let nullable = schema.nullable === true
  const types = asList(schema.type)
  if (types.length > 1 && types.includes('null')) {
    const rest = types.filter((type) => type !== 'null')
    out.type = rest.length === 1 ? (rest[0] ?? null) : rest
    nullable = true
  }
  if (Array.isArray(schema.enum) && schema.enum.length > 1 && schema.enum.includes(null)) {
    out.enum = schema.enum.filter((value) => value !== null)
    nullable = true
  }
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const branches = schema[keyword]
    if (!Array.isArray(branches)) continue
    const rest = branches.filter((branch) => !isNullSchema(flatten(branch, root)))
    if (rest.length === branches.length || rest.length === 0) continue
    nullable = true
    out[keyword] = rest
    if (rest.length > 1) continue
    const outer = Object.fromEntries(Object.entries(out).filter(([key]) => key !== keyword))
    // The outer words (title, description) are the closer ones, so they win over the branch's.
    return { schema: merge(flatten(rest[0], root), outer), nullable }
  }
  return { schema: out, nullable }
}

function isNullSchema(schema: JsonObject): boolean {
  return (
    schema.type === 'null' ||
    member(schema, 'const') === null ||
    (Array.isArray(schema.enum) && schema.enum.length === 1 && schema.enum[0] === null)
  )
}
