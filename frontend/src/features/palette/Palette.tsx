import { Search } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { useId, useState, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '@/ui'
import type { Entry } from './entries'
import { find } from './find'
import { PaletteFoot } from './PaletteFoot'
import { PaletteList } from './PaletteList'
import { recentKeys, recentOf, remember } from './recent'
import { useChoose } from './useChoose'
import { useEntries } from './useEntries'

export interface PaletteProps {
  open: boolean
  onClose: () => void
}

/** Finds servers, tools, actions and places from anywhere. Escape clears, then closes and gives the focus back. */
export function Palette({ open, onClose }: PaletteProps) {
  const { t } = useTranslation()
  return (
    <Dialog.Root open={open} onOpenChange={(next) => next || onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 animate-fade bg-scrim" />
        <Dialog.Content
          aria-describedby={undefined}
          onEscapeKeyDown={(event) => event.preventDefault()}
          className="fixed top-[88px] left-1/2 z-50 flex max-h-[calc(100vh-112px)] w-[min(620px,calc(100vw-32px))] -translate-x-1/2 animate-fade flex-col overflow-hidden rounded-dialog bg-raised shadow-dialog"
        >
          <Dialog.Title className="sr-only">{t('shell.search')}</Dialog.Title>
          <PaletteBody onClose={onClose} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function PaletteBody({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const list = useId()
  const choose = useChoose()
  const { all, waiting } = useEntries(true)
  const [typed, setTyped] = useState('')
  /** The server whose actions Tab asked for. */
  const [server, setServer] = useState<string>()
  const [at, setAt] = useState(0)
  const rows = rowsOf(all, waiting, typed, server)
  const current = Math.min(at, rows.length - 1)

  const take = (entry: Entry) => {
    remember(entry.key)
    onClose()
    choose(entry.choice)
  }
  const narrow = (to: string | undefined) => {
    setServer(to)
    setTyped('')
    setAt(0)
  }
  const escape = () => {
    if (typed !== '') setTyped('')
    else if (server !== undefined) narrow(undefined)
    else onClose()
    setAt(0)
  }
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    const row = rows[current]
    const keys: Record<string, () => void> = {
      ArrowDown: () => setAt(rows.length > 0 ? (current + 1) % rows.length : 0),
      ArrowUp: () => setAt(rows.length > 0 ? (current - 1 + rows.length) % rows.length : 0),
      Enter: () => row && take(row),
      Tab: () => row?.server !== undefined && narrow(row.server),
      Escape: escape,
    }
    const run = keys[event.key]
    if (run === undefined || event.nativeEvent.isComposing) return
    event.preventDefault()
    event.stopPropagation()
    run()
  }
  return (
    <>
      <div className="flex h-[52px] flex-none items-center gap-3 border-b border-line px-[18px]">
        <Icon of={Search} size={18} className="text-ink-3" />
        <input
          role="combobox"
          aria-expanded={rows.length > 0}
          aria-controls={rows.length > 0 ? list : undefined}
          aria-activedescendant={rows.length > 0 ? `${list}-${current}` : undefined}
          aria-label={t('shell.search')}
          value={typed}
          placeholder={
            server === undefined ? t('palette.placeholder') : t('palette.actionsOf', { name: nameOf(all, server) })
          }
          onChange={(event) => {
            setTyped(event.target.value)
            setAt(0)
          }}
          onKeyDown={press}
          spellCheck={false}
          autoComplete="off"
          className="h-full min-w-0 flex-1 bg-transparent text-lead shadow-none! outline-none!"
        />
        <span role="status" className="text-caption text-ink-3">
          {typed === '' ? '' : t('palette.results', { count: rows.length })}
        </span>
      </div>
      <PaletteList id={list} rows={rows} current={current} typed={typed} onTake={take} onPoint={setAt} />
      <PaletteFoot />
    </>
  )
}

/** Empty it shows what waits and where a person was lately; then what matches. */
function rowsOf(all: readonly Entry[], waiting: readonly Entry[], typed: string, server: string | undefined): Entry[] {
  if (server !== undefined)
    return find(
      all.filter((entry) => entry.group === 'actions' && entry.key.endsWith(`:${server}`)),
      typed,
    )
  if (typed.trim() !== '') return find([...waiting, ...all], typed)
  const places = recentOf(all, recentKeys())
  const rest = places.length > 0 ? places : all.filter(({ key }) => key.startsWith('page:'))
  return [...waiting.slice(0, 5), ...rest]
}

const nameOf = (all: readonly Entry[], server: string) =>
  all.find(({ key }) => key === `server:${server}`)?.label ?? server
