import { ChevronDown, ChevronRight, Plus, X } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isObject, member, type Json } from '@/lib/json'
import { Button, Icon, IconButton, TextInput } from '@/ui'
import type { FieldViewProps } from './fieldProps'
import { FieldView } from './FieldView'
import { FieldTitle } from './Labelled'
import { layoutRows } from './layout'
import { pointer } from './schemaCheck'
import type { ObjectField } from './schemaField'
import { extraKeys, initialValue, withMember } from './schemaValue'

/** An object inside a form: its members behind a line, closed when it is deep. */
export function ObjectFieldView({ field, value, onChange, at, name }: FieldViewProps<ObjectField>) {
  const { t } = useTranslation()
  const [open, setOpen] = useState(!field.folded)
  const count = isObject(value) ? Object.keys(value).length : 0
  return (
    <fieldset className="min-w-0 flex-1">
      <legend className="w-full">
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="flex h-7 w-full items-center gap-1.5 rounded-control text-left text-small font-medium hover:bg-hover"
        >
          <Icon of={open ? ChevronDown : ChevronRight} size={14} className="text-ink-3" />
          {name ?? <FieldTitle field={field} />}
          {field.required && <span className="text-caption font-normal text-ink-3">{t('common.required')}</span>}
          <span className="ml-auto text-caption font-normal text-ink-3">{t('server.form.members', { count })}</span>
        </button>
      </legend>
      {open && (
        <div className="ml-[6px] border-l border-line pl-3">
          {field.help !== '' && <p className="mb-2 text-caption text-ink-3">{field.help}</p>}
          <Members field={field} value={value} onChange={onChange} at={at} />
        </div>
      )}
    </fieldset>
  )
}

/** The members of an object, short ones two in a row, then the ones that its schema does not name. */
export function Members({ field, value, onChange, at }: FieldViewProps<ObjectField>) {
  const set = (key: string) => (next: Json | undefined) => onChange(withMember(field, value, key, next))
  const held = (key: string) => (isObject(value) ? member(value, key) : undefined)
  return (
    <div className="space-y-3">
      {layoutRows(field.fields()).map((row) => (
        <div key={row.map((child) => child.key).join('/')} className={row.length > 1 ? 'grid grid-cols-2 gap-3' : ''}>
          {row.map((child) => (
            <FieldView
              key={child.key}
              field={child}
              value={held(child.key)}
              onChange={set(child.key)}
              at={pointer(at, child.key)}
            />
          ))}
        </div>
      ))}
      <Extras field={field} value={value} onChange={onChange} at={at} />
    </div>
  )
}

function Extras({ field, value, onChange, at }: FieldViewProps<ObjectField>) {
  const { t } = useTranslation()
  const [key, setKey] = useState('')
  const { extra } = field
  const taken = isObject(value) && Object.hasOwn(value, key)
  const add = () => {
    if (key === '' || taken || !extra) return
    onChange(withMember(field, value, key, initialValue({ ...extra(key), required: true }) ?? ''))
    setKey('')
  }
  return (
    <>
      {extraKeys(field, value).map((name) => (
        <div key={name} className="flex items-start gap-0.5">
          <FieldView
            field={extra ? extra(name) : { ...emptyJson, key: name }}
            value={isObject(value) ? member(value, name) : undefined}
            onChange={(next) => onChange(withMember(field, value, name, next))}
            at={pointer(at, name)}
          />
          <IconButton
            icon={X}
            size={14}
            className="mt-[22px]"
            label={t('server.form.removeItem', { name })}
            onClick={() => onChange(withMember(field, value, name, undefined))}
          />
        </div>
      ))}
      {field.addable && extra && (
        <div className="flex gap-1.5">
          <TextInput
            code
            frameClassName="flex-1"
            aria-label={t('server.form.newMember')}
            placeholder={t('server.form.newMember')}
            value={key}
            onChange={(event) => setKey(event.target.value)}
          />
          <Button look="ghost" icon={Plus} inactive={key === '' || taken} onClick={add}>
            {t('server.form.addMember')}
          </Button>
        </div>
      )}
    </>
  )
}

const emptyJson = {
  kind: 'json' as const,
  title: '',
  help: '',
  required: false,
  nullable: true,
  deprecated: false,
  fallback: undefined,
  examples: [],
}
