import type { Json } from '@/lib/json'

export interface Option {
  value: Json
  /** The server's word for the value; empty when it gave none. */
  title: string
}

export interface Variant {
  /** The server's word for it; empty when it gave none. */
  title: string
  /** The JSON type, for a word of our own; empty when it is mixed. */
  type: string
  /** Made when asked for: a variant may contain itself. */
  field: () => Field
}

export interface Base {
  /** Machine name: the property, or the index in a list. Empty at the root. */
  key: string
  title: string
  help: string
  required: boolean
  nullable: boolean
  deprecated: boolean
  /** The schema's default; undefined when it has none. */
  fallback: Json | undefined
  examples: Json[]
}

export interface TextField extends Base {
  kind: 'text'
  /** "", or one of the formats that have a widget or a check. */
  format: '' | 'date' | 'date-time' | 'time' | 'email' | 'uri' | 'uuid'
  multiline: boolean
  minLength: number | undefined
  maxLength: number | undefined
  pattern: string | undefined
}

export interface NumberField extends Base {
  kind: 'number'
  integer: boolean
  minimum: number | undefined
  maximum: number | undefined
  /** Exclusive limits. */
  above: number | undefined
  below: number | undefined
}

export interface ListField extends Base {
  kind: 'list'
  item: (index: number) => Field
  minItems: number
  maxItems: number
}

export interface ObjectField extends Base {
  kind: 'object'
  fields: () => Field[]
  /** Makes the field of a member that the schema does not name; undefined when it allows none. */
  extra: ((key: string) => Field) | undefined
  /** The schema invites members of any name, so the form offers to add one. */
  addable: boolean
  /** Deeper than two levels: drawn closed. */
  folded: boolean
}

export type ChoiceField = Extract<Field, { kind: 'choice' }>
export type ChoicesField = Extract<Field, { kind: 'choices' }>

export type Field =
  | TextField
  | NumberField
  | ListField
  | ObjectField
  | (Base & { kind: 'boolean' })
  | (Base & { kind: 'choice'; options: Option[] })
  | (Base & { kind: 'choices'; options: Option[]; minItems: number; maxItems: number })
  | (Base & { kind: 'variant'; variants: Variant[] })
  | (Base & { kind: 'constant'; value: Json })
  /** What the form cannot draw better than its JSON. */
  | (Base & { kind: 'json' })
