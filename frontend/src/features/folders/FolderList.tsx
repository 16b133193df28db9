import { X } from 'lucide-react'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { FailureNote } from '@/features/vocabulary'
import { controlAfter, passFocus } from '@/lib/focus'
import { IconButton } from '@/ui'
import { NewFolder } from './NewFolder'

export interface FolderListProps {
  /** What the folders are, for those who do not see them. */
  name: string
  folders: readonly string[]
  /** What it means that there is none. */
  none: string
  readOnly: boolean
  busy: boolean
  /** Why the last change was refused. */
  error: unknown
  /** Fails when the change is refused. */
  onAdd: (folder: string) => Promise<unknown>
  /** Fails when the change is refused. */
  onRemove: (folder: string) => Promise<unknown>
}

/** Folders that a person names, one by one; each change counts at once. */
export function FolderList({ name, folders, none, readOnly, busy, error, onAdd, onRemove }: FolderListProps) {
  const { t } = useTranslation()
  const box = useRef<HTMLDivElement>(null)
  const remove = (folder: string, button: Element) => {
    const next = controlAfter(button, box.current)
    void onRemove(folder).then(
      () => passFocus(button, next),
      () => undefined, // the note below says why
    )
  }
  return (
    <div ref={box}>
      {folders.length === 0 && <div className="mt-1.5 text-ink-2">{none}</div>}
      <ul aria-label={name} className="mt-1.5 flex flex-wrap gap-1.5 empty:hidden">
        {folders.map((folder) => (
          <li
            key={folder}
            className="inline-flex min-h-7 max-w-full items-center gap-1 rounded-[14px] border border-line bg-surface pr-0.5 pl-2.5 text-small"
          >
            <span className="mono min-w-0 break-all">{folder}</span>
            {!readOnly && (
              <IconButton
                icon={X}
                size={13}
                className="size-6!"
                label={t('folders.remove', { folder })}
                onClick={({ currentTarget }) => remove(folder, currentTarget)}
              />
            )}
          </li>
        ))}
      </ul>
      {!readOnly && <NewFolder busy={busy} onAdd={onAdd} />}
      {error !== null && error !== undefined && <FailureNote error={error} className="mt-2" />}
    </div>
  )
}
