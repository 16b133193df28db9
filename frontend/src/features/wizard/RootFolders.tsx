import { Folder, Plus, X } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { controlAfter, passFocus } from '@/lib/focus'
import { Button, Icon, TextInput } from '@/ui'
import type { SayFault } from './faults'
import { ChooseFolder } from './ChooseFolder'

export interface RootFoldersProps {
  roots: readonly string[]
  onChange: (roots: string[]) => void
  fault: SayFault
}

/** The folders that are announced to the server: none by default. */
export function RootFolders({ roots, onChange, fault }: RootFoldersProps) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  const box = useRef<HTMLDivElement>(null)
  const add = (path: string) => {
    const folder = path.trim()
    if (folder !== '' && !roots.includes(folder)) onChange([...roots, folder])
    setTyped('')
  }
  const wrong = roots.map((_root, n) => fault(`roots[${n}]`)).find((text) => text !== undefined)
  return (
    <div ref={box} role="group" aria-label={t('wizard.roots.title')}>
      <div className="mb-1 flex items-baseline text-small font-medium">
        {t('wizard.roots.title')}
        <code className="ml-auto text-[11.5px]! font-normal text-ink-3">roots</code>
      </div>
      <div className="flex flex-wrap items-center gap-1.5">
        {roots.map((root, n) => (
          <span
            key={root}
            className="inline-flex h-7 items-center gap-1.5 rounded-[14px] border border-line bg-surface pr-1 pl-2.5 text-small text-ink-2"
          >
            <Icon of={Folder} size={14} className="text-ink-3" />
            <span className="mono">{root}</span>
            <button
              type="button"
              data-field={`roots[${n}]`}
              aria-label={t('wizard.remove', { name: root })}
              onClick={({ currentTarget }) => {
                passFocus(currentTarget, controlAfter(currentTarget, box.current))
                onChange(roots.filter((other) => other !== root))
              }}
              className="grid size-6 place-items-center rounded-full hover:bg-hover"
            >
              <Icon of={X} size={13} />
            </button>
          </span>
        ))}
        <TextInput
          code
          aria-label={t('wizard.roots.add')}
          placeholder={t('wizard.roots.placeholder')}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return
            event.preventDefault()
            add(typed)
          }}
          frameClassName="h-7! w-[200px]"
        />
        <Button small look="ghost" icon={Plus} onClick={() => add(typed)}>
          {t('wizard.roots.add')}
        </Button>
        <ChooseFolder onChoose={add} />
        <span className={`ml-auto text-caption ${wrong === undefined ? 'text-ink-3' : 'text-danger-text'}`}>
          {wrong ?? t('wizard.roots.help')}
        </span>
      </div>
    </div>
  )
}
