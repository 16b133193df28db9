import { ArrowDown, ArrowUp, Plus, X } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { Json } from '@/lib/json'
import { Button, IconButton } from '@/ui'
import type { FieldViewProps } from './fieldProps'
import { FieldView } from './FieldView'
import { Group } from './Labelled'
import { pointer } from './schemaCheck'
import type { ListField } from './schemaField'
import { initialValue, moveItem, withItem } from './schemaValue'

/** Items that can be added, removed and moved; Alt with the arrows moves the one that has the focus. */
export function ListFieldView({ field, value, onChange, at }: FieldViewProps<ListField>) {
  const { t } = useTranslation()
  const list: Json[] = Array.isArray(value) ? value : []
  const title = field.title || field.key
  const change = (next: Json[]) => onChange(next.length === 0 && !field.required ? undefined : next)
  const add = () => {
    const item = field.item(list.length)
    change([...list, initialValue(item) ?? (item.kind === 'text' ? '' : null)])
  }
  return (
    <Group field={field} value={value} at={at}>
      <ol className="space-y-1.5">
        {list.map((item, i) => (
          <Item
            key={i}
            name={t('server.form.item', { title, n: i + 1 })}
            onMove={(by) => change(moveItem(list, i, by))}
            onRemove={() => change(withItem(list, i, undefined))}
            last={i === list.length - 1}
            first={i === 0}
          >
            {(name) => (
              <FieldView
                field={field.item(i)}
                value={item}
                at={pointer(at, String(i))}
                name={name}
                // An item that is emptied stays in its place.
                onChange={(next) => change(withItem(list, i, next ?? (typeof item === 'string' ? '' : null)))}
              />
            )}
          </Item>
        ))}
      </ol>
      {list.length < field.maxItems && (
        <Button look="ghost" small icon={Plus} className="mt-1 -ml-2.5" onClick={add}>
          {t('server.form.addItem')}
        </Button>
      )}
    </Group>
  )
}

interface ItemProps {
  name: string
  first: boolean
  last: boolean
  onMove: (by: -1 | 1) => void
  onRemove: () => void
  children: (name: string) => React.ReactNode
}

function Item({ name, first, last, onMove, onRemove, children }: ItemProps) {
  const { t } = useTranslation()
  const press = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0
    if (!event.altKey || by === 0) return
    event.preventDefault()
    onMove(by)
  }
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys repeat what the buttons do
    <li className="flex items-start gap-0.5" onKeyDown={press}>
      {children(name)}
      <IconButton
        icon={ArrowUp}
        size={14}
        label={t('server.form.up', { name })}
        inactive={first}
        onClick={() => onMove(-1)}
        className="mt-0.5"
      />
      <IconButton
        icon={ArrowDown}
        size={14}
        label={t('server.form.down', { name })}
        inactive={last}
        onClick={() => onMove(1)}
        className="mt-0.5"
      />
      <IconButton
        icon={X}
        size={14}
        label={t('server.form.removeItem', { name })}
        onClick={onRemove}
        className="mt-0.5"
      />
    </li>
  )
}
