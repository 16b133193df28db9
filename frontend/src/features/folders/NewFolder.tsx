import { FolderOpen, Plus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { native } from '@/lib/native'
import { Button, IconButton, TextInput } from '@/ui'

/** The system's own dialog in the window; a browser has none, and the path is typed. */
export function NewFolder({ busy, onAdd }: { busy: boolean; onAdd: (folder: string) => Promise<unknown> }) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  const choose = native('ChooseFolder')
  const add = (folder: string) => {
    if (folder.trim() === '' || busy) return
    void onAdd(folder.trim()).then(
      () => setTyped(''),
      () => undefined, // the note of the list says why, and what was typed stays
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
        aria-label={t('folders.new')}
        placeholder={t('folders.new')}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      {choose && (
        <IconButton
          icon={FolderOpen}
          look="plain"
          className="size-8!"
          label={t('folders.choose')}
          onClick={() => void choose(t('folders.new')).then(add)}
        />
      )}
      <Button type="submit" icon={Plus} inactive={typed.trim() === '' || busy}>
        {t('folders.add')}
      </Button>
    </form>
  )
}
