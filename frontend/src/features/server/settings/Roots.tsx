import { FolderOpen, Plus, X } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FailureNote } from '@/features/vocabulary'
import type { Server } from '@/lib/api'
import { controlAfter, passFocus } from '@/lib/focus'
import { native } from '@/lib/native'
import { Button, IconButton, TextInput } from '@/ui'
import { useRoots } from './useRoots'

/** The folders that the server is told of when it asks. A change is told to it at once; nothing is started again. */
export function Roots({ server, readOnly }: { server: Server; readOnly: boolean }) {
  const { t } = useTranslation()
  const change = useRoots(server.id)
  const roots = server.roots ?? []
  const box = useRef<HTMLDivElement>(null)
  const remove = (root: string, button: Element) => {
    const next = controlAfter(button, box.current)
    change.mutate({ remove: [root] }, { onSuccess: () => passFocus(button, next) })
  }
  return (
    <div ref={box} className="px-3.5 py-2.5">
      <div className="text-small text-ink-3">{t('server.settings.rootsMore')}</div>
      {roots.length === 0 && <div className="mt-1.5 text-ink-2">{t('server.settings.noRoots')}</div>}
      <ul aria-label={t('server.settings.roots')} className="mt-1.5 flex flex-wrap gap-1.5 empty:hidden">
        {roots.map((root) => (
          <li
            key={root}
            className="inline-flex min-h-7 max-w-full items-center gap-1 rounded-[14px] border border-line bg-surface pr-0.5 pl-2.5 text-small"
          >
            <span className="mono min-w-0 break-all">{root}</span>
            {!readOnly && (
              <IconButton
                icon={X}
                size={13}
                className="size-6!"
                label={t('server.settings.removeRoot', { root })}
                onClick={({ currentTarget }) => remove(root, currentTarget)}
              />
            )}
          </li>
        ))}
      </ul>
      {!readOnly && <NewRoot busy={change.isPending} onAdd={(root) => change.mutateAsync({ add: [root] })} />}
      {change.error && <FailureNote error={change.error} className="mt-2" />}
    </div>
  )
}

/** The system's own dialog in the window; a browser has none, and the path is typed. */
function NewRoot({ busy, onAdd }: { busy: boolean; onAdd: (root: string) => Promise<unknown> }) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  const choose = native('ChooseFolder')
  const add = (folder: string) => {
    if (folder.trim() === '' || busy) return
    void onAdd(folder.trim()).then(
      () => setTyped(''),
      () => undefined, // the note above says why, and what was typed stays
    )
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
      <Button type="submit" icon={Plus} inactive={typed.trim() === '' || busy}>
        {t('server.settings.addRoot')}
      </Button>
    </form>
  )
}
