import { useTranslation } from 'react-i18next'
import { useLang } from '@/lib/i18n'
import { formatNumber } from '@/lib/format'
import { sameJson, writeJson, type Json } from '@/lib/json'
import type { Issue } from './schemaCheck'
import type { Field, NumberField, TextField } from './schemaField'

/** The sentences of a form: what is wrong with a value, and what a field accepts. */
export function useFormWords() {
  const { t } = useTranslation()
  const lang = useLang()
  const number = (value: number) => formatNumber(value, lang, Number.isInteger(value) ? 0 : 2)
  const issue = ({ code, limit }: Issue) =>
    t(`server.form.issues.${code}`, { limit: limit === undefined ? '' : number(limit) })
  const help = (field: Field, value: Json | undefined) =>
    [field.help, limits(field), fallback(field, value)].filter((text) => text !== '').join(' · ')
  const limits = (field: Field) => {
    const bounds = field.kind === 'number' ? numberBounds(field) : field.kind === 'text' ? textBounds(field) : undefined
    const said = bounds
      ? t(`server.form.limits.${bounds.key}`, { min: number(bounds.min), max: number(bounds.max) })
      : ''
    const pattern =
      field.kind === 'text' && field.pattern ? t('server.form.limits.pattern', { pattern: field.pattern }) : ''
    return [said, pattern].filter((text) => text !== '').join(' ')
  }
  const fallback = (field: Field, value: Json | undefined) =>
    field.fallback === undefined || sameJson(field.fallback, value)
      ? ''
      : t('server.form.limits.fallback', { value: shortJson(field) })
  return { issue, help }
}

interface Bounds {
  key: 'between' | 'from' | 'to' | 'above' | 'below' | 'chars_between' | 'chars_from' | 'chars_to'
  min: number
  max: number
}

function numberBounds({ minimum, maximum, above, below }: NumberField): Bounds | undefined {
  if (minimum !== undefined && maximum !== undefined) return { key: 'between', min: minimum, max: maximum }
  if (minimum !== undefined) return { key: 'from', min: minimum, max: 0 }
  if (maximum !== undefined) return { key: 'to', min: 0, max: maximum }
  if (above !== undefined) return { key: 'above', min: above, max: 0 }
  return below === undefined ? undefined : { key: 'below', min: 0, max: below }
}

function textBounds({ minLength, maxLength }: TextField): Bounds | undefined {
  const min = minLength ?? 0
  if (min > 1 && maxLength !== undefined) return { key: 'chars_between', min, max: maxLength }
  if (min > 1) return { key: 'chars_from', min, max: 0 }
  return maxLength === undefined ? undefined : { key: 'chars_to', min: 0, max: maxLength }
}

/** The default in few characters. */
function shortJson({ fallback }: Field): string {
  const text = typeof fallback === 'string' ? fallback : writeJson(fallback ?? null)
  return text.length > 40 ? `${text.slice(0, 40)}…` : text
}
