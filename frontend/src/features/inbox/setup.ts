import type { InboxRequest } from '@/lib/api'
import { isObject, type Json, type JsonObject } from '@/lib/json'

export const setupParts = ['transport', 'runs', 'cwd', 'url', 'env', 'inherits', 'headers', 'sign_in'] as const
export type SetupPart = (typeof setupParts)[number]

export interface SetupLine {
  part: SetupPart
  after: string
  /** What stood there before, where it was something else. */
  before?: string
}

/** Whether config.toml starts something else than before, or something new. */
export const isNewSetup = (request: InboxRequest): boolean => !isObject(changeOf(request).before)

/** Whether a request is about an entry of config.toml, rather than about a tool. */
export const isSetup = ({ kind, tool }: InboxRequest): boolean => kind === 'definition' && tool === ''

/** What an entry of config.toml starts, part by part, each beside what it was. */
export function setupLines(request: InboxRequest): SetupLine[] {
  const { before, after } = changeOf(request)
  const known = isObject(before) ? before : undefined
  const now = isObject(after) ? after : {}
  return setupParts
    .map((part): SetupLine => {
      const value = valueOf(part, now)
      const old = known && valueOf(part, known)
      return { part, after: value, ...(old !== undefined && old !== value ? { before: old } : {}) }
    })
    .filter(({ before: old, after: value }) => value !== '' || old !== undefined)
}

function changeOf({ params }: InboxRequest): { before?: Json; after?: Json } {
  return isObject(params as Json) ? (params as JsonObject) : {}
}

function valueOf(part: SetupPart, setup: JsonObject): string {
  switch (part) {
    case 'runs':
      return setup.command === undefined ? '' : [setup.command, ...listOf(setup.args)].map(textOf).map(quoted).join(' ')
    case 'env':
    case 'headers':
    case 'sign_in':
      return listOf(setup[part]).map(textOf).join(', ')
    case 'inherits':
      return setup.inherit_env === true ? 'inherit_env = true' : ''
    default:
      return textOf(setup[part])
  }
}

const listOf = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : [])
const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '')
const quoted = (word: string): string => (word === '' || /[\s"']/.test(word) ? JSON.stringify(word) : word)
