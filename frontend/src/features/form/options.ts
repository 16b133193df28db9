import { writeJson } from '@/lib/json'
import type { ChoiceField, Option } from './schemaField'

/** What a person reads for a fixed value. */
export function optionLabel({ title, value }: Option): string {
  return title || (typeof value === 'string' && value !== '' ? value : writeJson(value))
}

/** Few short values stand side by side; others, and those that may be left out, are in a list. */
export function isSegmented({ options, required, fallback }: ChoiceField): boolean {
  const length = options.reduce((sum, option) => sum + optionLabel(option).length, 0)
  return options.length > 1 && options.length <= 3 && length <= 22 && (required || fallback !== undefined)
}
