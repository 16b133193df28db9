import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Segmented, Select } from '@/ui'
import type { FieldViewProps } from './fieldProps'
import { FieldView } from './FieldView'
import { JsonFieldView } from './JsonFieldView'
import { Group } from './Labelled'
import { Members } from './ObjectFieldView'
import type { Field } from './schemaField'
import { inVariant, variantOf } from './schemaValue'

type VariantField = Extract<Field, { kind: 'variant' }>

/** A choice between forms. The value says which one is shown, until a person chooses another. */
export function VariantFieldView({ field, value, onChange, at, name }: FieldViewProps<VariantField>) {
  const { t } = useTranslation()
  const [chosen, setChosen] = useState<number>()
  const fitting = variantOf(field.variants, value)
  const at_ = chosen ?? fitting
  const variant = field.variants[at_]
  const labels = field.variants.map(({ title, type }, i) => ({
    value: String(i),
    label: title || t(`server.form.types.${type || 'any'}`, { defaultValue: type }),
  }))
  const choose = (next: string) => {
    const index = Number(next)
    setChosen(index)
    const into = field.variants[index]
    if (into) onChange(inVariant(into, value))
  }
  const label = name ?? (field.title || field.key || t('server.form.variant'))
  const short = labels.length <= 3 && labels.reduce((sum, { label: text }) => sum + text.length, 0) <= 30
  return (
    <Group field={field} value={value} at={at}>
      <div className="space-y-2">
        {short ? (
          <Segmented small label={label} value={String(at_)} onChange={choose} segments={labels} />
        ) : (
          <Select label={label} value={String(at_)} onChange={choose} options={labels} />
        )}
        {variant ? (
          <Inside field={variant.field()} value={value} onChange={onChange} at={at} name={label} />
        ) : (
          <JsonFieldView field={field} value={value} onChange={onChange} at={at} name={label} />
        )}
      </div>
    </Group>
  )
}

function Inside(props: FieldViewProps) {
  const { field } = props
  return field.kind === 'object' ? <Members {...props} field={field} /> : <FieldView {...props} />
}
