import { isSegmented } from './options'
import type { Field } from './schemaField'

/** Fields in rows: two short ones that follow each other share a row. */
export function layoutRows(fields: readonly Field[]): Field[][] {
  const rows: Field[][] = []
  for (const field of fields) {
    const last = rows.at(-1)
    const partner = last?.length === 1 ? last[0] : undefined
    if (last && partner && isShort(partner) && isShort(field)) last.push(field)
    else rows.push([field])
  }
  return rows
}

function isShort(field: Field): boolean {
  const name = field.title || field.key
  if (field.help.length > 40 || name.length > 14) return false
  switch (field.kind) {
    case 'number':
    case 'boolean':
      return true
    case 'choice':
      return isSegmented(field)
    case 'text':
      return !field.required && !field.multiline && field.format !== 'uri'
    default:
      return false
  }
}
