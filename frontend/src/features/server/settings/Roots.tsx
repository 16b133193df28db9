import { FolderOpen, Plus, X } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { native } from '@/lib/native'
import { Button, IconButton, TextInput } from '@/ui'

/** The folders the server is told of. Telling is not locking in. */
export function Roots({
  roots,
  readOnly,
  onRoots,
}: {
  roots: readonly string[]
  readOnly: boolean
  onRoots: (roots: string[]) => void
}) {
  const { t } = useTranslation()
  return (
    <div className="px-3.5 py-[9px]">
      <div className="font-medium">{t('server.settings.roots')}</div>
      <div className="text-small text-ink-3">{t('server.settings.rootsMore')}</div>
      <ul className="mt-1.5 flex flex-wrap gap-1.5">
        {roots.map((root) => (
          <li
            key={root}
            className="inline-flex h-7 items-center gap-1 rounded-[14px] border border-line bg-surface pr-0.5 pl-2.5 text-small"
          >
            <span className="mono">{root}</span>
            {!readOnly && (
              <IconButton
                icon={X}
                size={13}
                className="size-6!"
                label={t('server.settings.removeRoot', { root })}
                onClick={() => onRoots(roots.filter((other) => other !== root))}
              />
            )}
          </li>
        ))}
      </ul>
      {!readOnly && <NewRoot roots={roots} onRoots={onRoots} />}
    </div>
  )
}

function NewRoot({ roots, onRoots }: { roots: readonly string[]; onRoots: (roots: string[]) => void }) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  const choose = native('ChooseFolder')
  const add = (folder: string) => {
    if (folder.trim() === '' || roots.includes(folder.trim())) return
    onRoots([...roots, folder.trim()])
    setTyped('')
  }
  return (
    <form
      className="mt-2 flex gap-1.5"
      onSubmit={(event) => {
        event.preventDefault()
        add(typed)
      }}
    >
      <TextInput
        code
        frameClassName="flex-1"
        aria-label={t('server.settings.newRoot')}
        placeholder={t('server.settings.newRoot')}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      {choose && (
        <IconButton
          icon={FolderOpen}
          look="plain"
          className="size-8!"
          label={t('server.settings.chooseFolder')}
          onClick={() => void choose(t('server.settings.newRoot')).then(add)}
        />
      )}
      <Button type="submit" icon={Plus} inactive={typed.trim() === ''}>
        {t('server.settings.addRoot')}
      </Button>
    </form>
  )
}
