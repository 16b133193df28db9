// Forms for what has no schema of its own: the arguments of a prompt, the variables of a resource template.
import type { Prompt, Resource } from '@/lib/api'
import type { Json, JsonObject } from '@/lib/json'
import { expandTemplate, templateVariables } from './uriTemplate'

/** A schema over text arguments, so that prompts get the same form as tools. */
export function promptSchema({ arguments: args = [] }: Pick<Prompt, 'arguments'>): JsonObject {
  const properties = args.map(({ name, title, description }): [string, Json] => [
    name,
    { type: 'string', ...(title ? { title } : {}), ...(description ? { description } : {}) },
  ])
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: args.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  }
}

/** A schema over the variables of a template. None is required: the RFC leaves out what has no value. */
export function templateSchema(template: string): JsonObject {
  const names = templateVariables(template) ?? []
  return {
    type: 'object',
    properties: Object.fromEntries(names.map((name): [string, Json] => [name, { type: 'string' }])),
    additionalProperties: false,
  }
}

/** The address to read: the resource's own, or what its template comes to. */
export function addressOf({ uri, uri_template }: Pick<Resource, 'uri' | 'uri_template'>, values: JsonObject): string {
  if (uri) return uri
  const texts = Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? value : undefined])
  return expandTemplate(uri_template ?? '', Object.fromEntries(texts) as Record<string, string | undefined>) ?? ''
}
