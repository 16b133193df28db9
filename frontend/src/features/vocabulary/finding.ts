import type { ToolFinding } from '@/lib/api'

export type FindingPlace =
  | { key: 'name' | 'title' | 'description' | 'annotations' | 'input_schema' | 'output_schema' }
  | { key: 'parameter'; name: string }

/** Where in a definition a finding is, as people speak of it. A parameter has the name that the server gave it. */
export function placeOf(field: string): FindingPlace {
  const [part = '', below = '', name] = field.split('.')
  if (part === 'input_schema' && below === 'properties' && name) return { key: 'parameter', name }
  switch (part) {
    case 'name':
    case 'title':
    case 'annotations':
    case 'input_schema':
    case 'output_schema':
      return { key: part }
    default:
      return { key: 'description' }
  }
}

/** The reasons to look closely at a tool; empty when there is none. */
export const findingsOf = (tool: { findings?: readonly ToolFinding[] }): readonly ToolFinding[] => tool.findings ?? []
