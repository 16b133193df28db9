import type { TextFinding } from '@/lib/api'

export type FindingPlace =
  | { key: 'name' | 'title' | 'description' | 'annotations' | 'input_schema' | 'output_schema' | 'instructions' }
  | { key: 'parameter' | 'argument'; name: string }

/** Where in a definition a finding is, as people speak of it. A parameter has the name that the server gave it. */
export function placeOf(field: string): FindingPlace {
  const [part = '', below = '', name] = field.split('.')
  if (part === 'input_schema' && below === 'properties' && name) return { key: 'parameter', name }
  switch (part) {
    case 'arguments': // of a prompt, whose names may have dots
      return { key: 'argument', name: field.slice(field.indexOf('.') + 1, field.lastIndexOf('.')) }
    case 'name':
    case 'title':
    case 'annotations':
    case 'input_schema':
    case 'output_schema':
    case 'instructions':
      return { key: part }
    default:
      return { key: 'description' }
  }
}

/** The reasons to look closely at something that a server says; empty when there is none. */
export const findingsOf = (said: { findings?: readonly TextFinding[] }): readonly TextFinding[] => said.findings ?? []
