import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Json } from '@/lib/json'
import { Field as Frame, type FieldControl } from '@/ui'
import { useIssue } from './fieldProps'
import type { Field } from './schemaField'
import { useFormWords } from './words'

export interface LabelledProps {
  field: Field
  value: Json | undefined
  at: string
  /** Replaces the drawn label with an accessible name. */
  name?: string | undefined
  children: (control: FieldControl & { 'aria-label'?: string }) => ReactNode
}

/** A control with its title, machine name, help and error. The words are the server's, shown as plain text. */
export function Labelled({ field, value, at, name, children }: LabelledProps) {
  const { t } = useTranslation()
  const words = useFormWords()
  const issue = useIssue(at)
  const error = issue && words.issue(issue)
  if (name !== undefined) {
    return (
      <div className="min-w-0 flex-1">
        {children({ id: `field${at}`, 'aria-label': name, ...(error ? { 'aria-invalid': true } : {}) })}
        {error && <div className="mt-1 text-caption text-danger-text">{error}</div>}
      </div>
    )
  }
  const help = words.help(field, value)
  return (
    <Frame
      label={<FieldTitle field={field} />}
      {...(field.required ? { required: t('common.required') } : {})}
      {...(field.title !== '' && field.title !== field.key ? { code: field.key } : {})}
      {...(help === '' ? {} : { help })}
      {...(error ? { error } : {})}
    >
      {children}
    </Frame>
  )
}

/** The server's title, else the machine name in its own type. */
export function FieldTitle({ field }: { field: Field }) {
  const { t } = useTranslation()
  const old = field.deprecated ? <span className="font-normal text-ink-3"> {t('server.form.deprecated')}</span> : null
  if (field.title === '')
    return (
      <code className="text-[12px]! font-medium">
        {field.key}
        {old}
      </code>
    )
  return (
    <>
      {field.title}
      {old}
    </>
  )
}

/** Several controls under one title. */
export function Group({
  field,
  value,
  at,
  children,
}: Omit<LabelledProps, 'name' | 'children'> & { children: ReactNode }) {
  const { t } = useTranslation()
  const words = useFormWords()
  const issue = useIssue(at)
  const help = words.help(field, value)
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 flex w-full items-baseline gap-1.5 text-small font-medium">
        <span>
          <FieldTitle field={field} />
        </span>
        {field.required && <span className="text-caption font-normal text-ink-3">{t('common.required')}</span>}
        {field.title !== '' && (
          <code className="ml-auto truncate text-[11.5px]! font-normal text-ink-3">{field.key}</code>
        )}
      </legend>
      {children}
      {issue && <div className="mt-1 text-caption text-danger-text">{words.issue(issue)}</div>}
      {!issue && help !== '' && <div className="mt-1 text-caption text-ink-3">{help}</div>}
    </fieldset>
  )
}
