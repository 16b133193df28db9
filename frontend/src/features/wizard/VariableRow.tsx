import clsx from 'clsx'
import { CircleAlert, Eye, KeyRound, X } from 'lucide-react'
import { useState, type ClipboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { VariableUse } from '@/lib/api'
import { Badge, Icon, IconButton, masked } from '@/ui'
import type { VariableDraft } from './draft'
import type { Fault } from './faults'
import { hasReference, isKept } from './secrets'
import type { ListName } from './wizard'

export interface VariableRowProps {
  list: ListName
  row: VariableDraft
  /** "env[2]" */
  field: string
  uses: readonly VariableUse[]
  faults: readonly Fault[]
  onChange: (change: Partial<VariableDraft>) => void
  onRemove: () => void
  onPaste: (event: ClipboardEvent) => void
}

const bare =
  'h-full min-w-0 bg-transparent font-code text-[11.56px] [font-feature-settings:normal] focus-visible:shadow-[inset_0_0_0_2px_var(--focus)] rounded-[3px] px-1 -mx-1'

/** One variable or header: name, value, and where the value lives. */
export function VariableRow({ list, row, field, uses, faults, onChange, onRemove, onPaste }: VariableRowProps) {
  const { t } = useTranslation()
  const [shown, setShown] = useState(false)
  const [editing, setEditing] = useState(false)
  const kept = isKept(row.value)
  const secret = row.secret === true && !hasReference(row.value)
  const bad = faults.length > 0
  const name = row.name === '' ? t(`wizard.${list}.one`) : row.name
  return (
    <div
      className={clsx(
        'flex h-[31px] items-center gap-2 pr-0.5 pl-2.5',
        bad && 'bg-danger-soft shadow-[inset_2px_0_0_var(--danger)]',
      )}
    >
      <input
        aria-label={t(`wizard.${list}.name`)}
        aria-invalid={faults.some((fault) => fault.field.endsWith('.name')) || undefined}
        data-field={`${field}.name`}
        value={row.name}
        placeholder={list === 'env' ? 'NAME' : 'X-Name'}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => onChange({ name: event.target.value })}
        onPaste={onPaste}
        className={clsx(bare, 'text-ink-2', list === 'env' ? 'w-[132px]' : 'w-[158px]', 'flex-none max-sm:w-[100px]')}
      />
      <input
        aria-label={t('wizard.valueOf', { name })}
        aria-invalid={faults.some((fault) => fault.field.endsWith('.value')) || undefined}
        data-field={`${field}.value`}
        type={secret && editing && !shown ? 'password' : 'text'}
        value={kept ? '' : secret && !editing && !shown ? masked(row.value) : row.value}
        placeholder={kept ? t('wizard.secret.kept') : t('wizard.value')}
        spellCheck={false}
        autoComplete="new-password"
        onFocus={() => setEditing(true)}
        onBlur={() => setEditing(false)}
        onChange={(event) => onChange({ value: event.target.value })}
        onPaste={onPaste}
        className={clsx(bare, 'flex-1')}
      />
      <WhereItLives row={row} uses={uses} kept={kept} onChange={onChange} />
      {secret && row.value !== '' && (
        <button
          type="button"
          aria-label={t('wizard.secret.show')}
          aria-pressed={shown}
          onPointerDown={() => setShown(true)}
          onPointerUp={() => setShown(false)}
          onPointerLeave={() => setShown(false)}
          onKeyDown={(event) => (event.key === ' ' || event.key === 'Enter') && setShown(true)}
          onKeyUp={() => setShown(false)}
          onBlur={() => setShown(false)}
          className="-ml-1 grid size-7 flex-none place-items-center rounded-control text-ink-3 hover:bg-hover"
        >
          <Icon of={Eye} size={15} />
        </button>
      )}
      <IconButton icon={X} size={14} label={t('wizard.remove', { name })} onClick={onRemove} className="-ml-1" />
    </div>
  )
}

/** Keyring, plain, found or not found. A plain value can be moved to the keyring, and back while it is typed. */
function WhereItLives({
  row,
  uses,
  kept,
  onChange,
}: Pick<VariableRowProps, 'row' | 'uses' | 'onChange'> & { kept: boolean }) {
  const { t } = useTranslation()
  const lost = uses.find(({ found }) => !found)
  if (kept) return <Badge icon={KeyRound}>{t('wizard.where.keyring')}</Badge>
  if (lost) {
    return (
      <Badge tone="danger" plain icon={CircleAlert} className="text-danger-text!">
        {t('wizard.where.lost')}
      </Badge>
    )
  }
  if (hasReference(row.value)) return <Badge tone="ok">{t('wizard.where.found')}</Badge>
  if (row.value === '' && row.name === '') return null
  return (
    <button
      type="button"
      aria-pressed={row.secret === true}
      title={t(row.secret ? 'wizard.where.toPlain' : 'wizard.where.toKeyring')}
      onClick={() => onChange({ secret: row.secret !== true })}
      className="rounded-badge hover:brightness-95"
    >
      {row.secret ? (
        <Badge icon={KeyRound}>{t('wizard.where.keyring')}</Badge>
      ) : (
        <Badge>{t('wizard.where.plain')}</Badge>
      )}
    </button>
  )
}
