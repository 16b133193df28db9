import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { isObject, type Json } from '@/lib/json'
import { FormIssues, type FieldViewProps } from './fieldProps'
import { FieldView } from './FieldView'
import { Members } from './ObjectFieldView'
import { issuesOf } from './schemaCheck'
import type { Field } from './schemaField'

export interface SchemaFormProps {
  form: Field
  value: Json
  onChange: (value: Json) => void
  /** Also says what is missing; before a first try only what is wrong is said. */
  tried: boolean
  /** What is said when nothing can be filled in. */
  empty?: string
}

/** The fields of a schema over a JSON value, which is all the state there is. */
export function SchemaForm({ form, value, onChange, tried, empty }: SchemaFormProps) {
  const { t } = useTranslation()
  const issues = useMemo(() => {
    const all = issuesOf(form, value).filter((issue) => tried || issue.code !== 'required')
    return new Map(all.map((issue) => [issue.at, issue]))
  }, [form, value, tried])
  const props: FieldViewProps = { field: form, value, onChange: (next) => onChange(next ?? {}), at: '' }
  const nothing = form.kind === 'object' && form.fields().length === 0 && !form.addable && isEmpty(value)
  return (
    <FormIssues value={issues}>
      {nothing && <p className="text-small text-ink-3">{empty ?? t('server.form.noArguments')}</p>}
      {form.kind === 'object' ? <Members {...props} field={form} /> : <FieldView {...props} />}
    </FormIssues>
  )
}

function isEmpty(value: Json): boolean {
  return isObject(value) && Object.keys(value).length === 0
}
