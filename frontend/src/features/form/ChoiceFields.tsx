import { useTranslation } from 'react-i18next'
import { sameJson, writeJson, type Json } from '@/lib/json'
import { Checkbox, Segmented, Select } from '@/ui'
import type { FieldViewProps } from './fieldProps'
import { Group, Labelled } from './Labelled'
import { isSegmented, optionLabel } from './options'
import type { ChoiceField, ChoicesField, Field } from './schemaField'
import { toggled } from './schemaValue'

const unset = 'unset'

export function ChoiceFieldView({ field, value, onChange, at, name }: FieldViewProps<ChoiceField>) {
  const { t } = useTranslation()
  const at_ = field.options.findIndex((option) => sameJson(option.value, value))
  const chosen = at_ < 0 ? unset : String(at_)
  const choose = (next: string) => onChange(field.options[Number(next)]?.value)
  const options = field.options.map((option, i) => ({ value: String(i), label: optionLabel(option) }))
  return (
    <Labelled field={field} value={value} at={at} name={name}>
      {(control) =>
        isSegmented(field) ? (
          <Segmented wide label={field.title || field.key} value={chosen} onChange={choose} segments={options} />
        ) : (
          <Select
            {...control}
            {...(name === undefined ? {} : { label: name })}
            value={chosen}
            onChange={choose}
            options={
              field.required && chosen !== unset
                ? options
                : [{ value: unset, label: t('server.form.unset') }, ...options]
            }
          />
        )
      }
    </Labelled>
  )
}

export function ChoicesFieldView({ field, value, onChange, at }: FieldViewProps<ChoicesField>) {
  const list: Json[] = Array.isArray(value) ? value : []
  const values = field.options.map((option) => option.value)
  const change = (option: Json) => {
    const next = toggled(values, list, option)
    onChange(next.length === 0 && !field.required ? undefined : next)
  }
  return (
    <Group field={field} value={value} at={at}>
      <div className="flex flex-wrap gap-x-[18px] gap-y-2 py-1">
        {field.options.map((option, i) => (
          <Checkbox
            key={i}
            className="gap-2! text-small"
            on={list.some((item) => sameJson(item, option.value))}
            onChange={() => change(option.value)}
          >
            {optionLabel(option)}
          </Checkbox>
        ))}
      </div>
    </Group>
  )
}

/** A tick; until it is touched an optional one is not sent at all. */
export function BooleanFieldView({ field, value, onChange, at, name }: FieldViewProps) {
  const { t } = useTranslation()
  const optional = !field.required && value !== undefined
  const box = (label: string) => (
    <div className="flex min-h-8 items-center gap-2">
      <Checkbox on={value === true} onChange={onChange} className="gap-2! text-small">
        {label}
      </Checkbox>
      {value === undefined && <span className="text-caption text-ink-3">{t('server.form.notSent')}</span>}
      {optional && (
        <button
          type="button"
          className="text-caption text-accent-text hover:underline"
          onClick={() => onChange(undefined)}
        >
          {t('server.form.dontSend')}
        </button>
      )}
    </div>
  )
  if (name !== undefined) return box(name)
  return (
    <Group field={field} value={value} at={at}>
      {box(value === true ? t('server.form.yes') : t('server.form.no'))}
    </Group>
  )
}

export function ConstantFieldView({
  field,
  value,
  onChange,
  at,
  name,
}: FieldViewProps<Extract<Field, { kind: 'constant' }>>) {
  const shown = <code className="truncate text-[12px]!">{writeJson(field.value)}</code>
  return (
    <Labelled field={field} value={value} at={at} name={name}>
      {() =>
        field.required ? (
          <div className="flex h-8 items-center">{shown}</div>
        ) : (
          <Checkbox
            className="h-8 gap-2!"
            on={value !== undefined}
            onChange={(on) => onChange(on ? field.value : undefined)}
          >
            {shown}
          </Checkbox>
        )
      }
    </Labelled>
  )
}
