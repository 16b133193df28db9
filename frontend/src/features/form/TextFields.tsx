import { ChevronsUpDown } from 'lucide-react'
import { useState, type KeyboardEvent } from 'react'
import { jsonNumber, type Json } from '@/lib/json'
import { Combobox, Icon, TextArea, TextInput } from '@/ui'
import type { FieldViewProps } from './fieldProps'
import { Labelled } from './Labelled'
import { useProposals } from './proposals'
import type { NumberField, TextField } from './schemaField'
import { fromText, toText } from './schemaValue'

const inputTypes = {
  '': 'text',
  date: 'date',
  'date-time': 'text',
  time: 'text',
  email: 'email',
  uri: 'url',
  uuid: 'text',
}
const placeholders: Partial<Record<TextField['format'], string>> = {
  'date-time': '2026-01-31T09:00:00Z',
  time: '09:00:00Z',
  uuid: '123e4567-e89b-…',
}

export function TextFieldView({ field, value, onChange, at, name }: FieldViewProps<TextField>) {
  const text = toText(value)
  const example = field.examples.find((given) => typeof given === 'string')
  const placeholder = placeholders[field.format] ?? example
  const change = (typed: string) => onChange(fromText(field, typed))
  const [entered, setEntered] = useState(false)
  const proposals = useProposals(at, text, entered)
  return (
    <Labelled field={field} value={value} at={at} name={name}>
      {(control) =>
        field.multiline || text.includes('\n') ? (
          <TextArea {...control} rows={4} value={text} onChange={(event) => change(event.target.value)} />
        ) : proposals ? (
          <Combobox
            {...control}
            value={text}
            suggestions={proposals}
            {...(placeholder === undefined ? {} : { placeholder })}
            onFocus={() => setEntered(true)}
            onChange={change}
          />
        ) : (
          <TextInput
            {...control}
            // A date that is none would vanish from a date widget.
            type={field.format === 'date' && !isDay(text) ? 'text' : inputTypes[field.format]}
            value={text}
            {...(placeholder === undefined ? {} : { placeholder })}
            onChange={(event) => change(event.target.value)}
          />
        )
      }
    </Labelled>
  )
}

function isDay(text: string): boolean {
  return text === '' || (/^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)))
}

/** Numbers are typed as text, so that no digit of a long one is lost; arrows step by one. */
export function NumberFieldView({ field, value, onChange, at, name }: FieldViewProps<NumberField>) {
  const press = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0
    const next = by === 0 || event.altKey ? undefined : stepped(field, value, by)
    if (next === undefined) return
    event.preventDefault()
    onChange(next)
  }
  return (
    <Labelled field={field} value={value} at={at} name={name}>
      {(control) => (
        <TextInput
          {...control}
          inputMode={field.integer ? 'numeric' : 'decimal'}
          value={toText(value)}
          onChange={(event) => onChange(fromText(field, event.target.value))}
          onKeyDown={press}
          after={<Icon of={ChevronsUpDown} size={14} className="text-ink-3" />}
        />
      )}
    </Labelled>
  )
}

function stepped({ minimum, maximum }: NumberField, value: Json | undefined, by: number): number | undefined {
  const now = value === undefined ? (minimum ?? 0) - by : Number(jsonNumber(toText(value)))
  if (!Number.isSafeInteger(Math.trunc(now))) return undefined
  return Math.min(Math.max(now + by, minimum ?? -Infinity), maximum ?? Infinity)
}
