import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { tryParseJson, writeJson, type Json } from '@/lib/json'
import { TextArea } from '@/ui'
import type { FieldViewProps } from './fieldProps'
import { Labelled } from './Labelled'

const write = (value: Json | undefined) => (value === undefined ? '' : writeJson(value, 2))

/** A value as its JSON: for what no widget can draw without loss. Text that is not JSON yet is kept but not sent. */
export function JsonFieldView({ field, value, onChange, at, name }: FieldViewProps) {
  const { t } = useTranslation()
  const [draft, setDraft] = useState<{ text: string; of: Json | undefined }>()
  // Changed from outside, such as by recalling earlier arguments: the draft is about another value.
  const text = draft?.of === value && draft ? draft.text : write(value)
  const broken = text.trim() !== '' && tryParseJson(text) === undefined
  const change = (typed: string) => {
    const next = typed.trim() === '' ? undefined : tryParseJson(typed)
    const valid = next !== undefined || typed.trim() === ''
    setDraft({ text: typed, of: valid ? next : value })
    if (valid) onChange(next)
  }
  return (
    <Labelled field={field} value={value} at={at} name={name}>
      {(control) => (
        <>
          <TextArea
            code
            {...control}
            {...(broken ? { 'aria-invalid': true } : {})}
            rows={Math.min(Math.max(text.split('\n').length, 2), 12)}
            value={text}
            onChange={(event) => change(event.target.value)}
          />
          {broken && <div className="mt-1 text-caption text-danger-text">{t('server.form.notJson')}</div>}
        </>
      )}
    </Labelled>
  )
}
