import { Plus } from 'lucide-react'
import { useRef, type ClipboardEvent, type Dispatch, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { VariableUse } from '@/lib/api'
import { Icon } from '@/ui'
import type { VariableDraft } from './draft'
import type { Fault } from './faults'
import { VariableRow } from './VariableRow'
import { variablesOf, type ListName, type WizardAction } from './wizard'

export interface VariableListProps {
  list: ListName
  rows: readonly VariableDraft[]
  /** What the check says of the references in the rows. */
  uses: readonly VariableUse[]
  faults: readonly Fault[]
  dispatch: Dispatch<WizardAction>
  /** Rows before or after, such as the header of the Auth step. */
  before?: ReactNode
  after?: ReactNode
}

/** Variables or headers, one per row; a paste of several lines makes several rows. */
export function VariableList({ list, rows, uses, faults, dispatch, before, after }: VariableListProps) {
  const { t } = useTranslation()
  const box = useRef<HTMLDivElement>(null)
  const add = () => {
    dispatch({ type: 'add-variables', list, rows: [{ name: '', value: '' }] })
    requestAnimationFrame(() =>
      box.current?.querySelector<HTMLElement>(`[data-field="${list}[${rows.length}].name"]`)?.focus(),
    )
  }
  const paste = (at: number) => (event: ClipboardEvent) => {
    const text = event.clipboardData.getData('text/plain')
    if (!/\r?\n\s*\S/.test(text.trim())) return
    event.preventDefault()
    const row = rows[at]
    if (row?.name === '' && row.value === '') dispatch({ type: 'remove-variable', list, at })
    dispatch({ type: 'add-variables', list, rows: variablesOf(text) })
  }
  return (
    <div
      ref={box}
      role="group"
      aria-label={t(`wizard.${list}.title`)}
      className="overflow-hidden rounded-control border border-line-control bg-surface text-small [&>*+*]:border-t [&>*+*]:border-line-subtle"
    >
      {before}
      {rows.map((row, at) => {
        const field = `${list}[${at}]`
        return (
          <VariableRow
            key={row.key}
            list={list}
            row={row}
            field={field}
            uses={uses.filter((use) => use.field.startsWith(field))}
            faults={faults.filter((fault) => fault.field.startsWith(field))}
            onChange={(change) => dispatch({ type: 'variable', list, at, change })}
            onRemove={() => dispatch({ type: 'remove-variable', list, at })}
            onPaste={paste(at)}
          />
        )
      })}
      {after}
      <div className="flex h-[31px] items-center pl-1">
        <button
          type="button"
          className="flex h-7 items-center gap-1.5 rounded-badge px-1 text-accent-text hover:underline"
          onClick={add}
        >
          <Icon of={Plus} size={14} />
          {t(`wizard.${list}.add`)}
        </button>
      </div>
    </div>
  )
}
