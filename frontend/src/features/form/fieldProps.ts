import { createContext, useContext } from 'react'
import type { Json } from '@/lib/json'
import type { Issue } from './schemaCheck'
import type { Field } from './schemaField'

export interface FieldViewProps<F extends Field = Field> {
  field: F
  /** undefined = not sent. */
  value: Json | undefined
  onChange: (next: Json | undefined) => void
  /** JSON pointer of the value. */
  at: string
  /** The accessible name where no label is drawn, as for the items of a list. */
  name?: string
}

const noIssues: ReadonlyMap<string, Issue> = new Map()

/** What is wrong with the form, by JSON pointer; only what a person should see now. */
export const FormIssues = createContext<ReadonlyMap<string, Issue>>(noIssues)

export function useIssue(at: string): Issue | undefined {
  return useContext(FormIssues).get(at)
}
