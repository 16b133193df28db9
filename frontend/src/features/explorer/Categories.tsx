import clsx from 'clsx'
import { useTranslation } from 'react-i18next'
import { useServerName } from '@/features/connexions'
import type { ToolboxView } from '@/lib/api'

export interface CategoriesProps {
  view: ToolboxView
  /** The category that is open; "" for none. */
  chosen: string
  onChoose: (name: string) => void
}

/** The categories as an agent lists them: one for each server. */
export function Categories({ view, chosen, onChoose }: CategoriesProps) {
  const { t } = useTranslation()
  const server = useServerName()
  // A server by its name, a native module by its own.
  const called = (name: string) => (name.startsWith('mcp_') ? server(name.slice(4)) : name)
  if (view.categories.length === 0) return null
  return (
    <nav aria-label={t('explorer.categories')} className="max-md:hidden">
      <h2 className="mb-1.5 px-2 text-small font-medium text-ink-2">{t('explorer.categories')}</h2>
      <ul className="grid gap-px">
        {view.categories.map(({ name, tools }) => (
          <li key={name}>
            <button
              type="button"
              aria-pressed={name === chosen}
              title={name}
              onClick={() => onChoose(name === chosen ? '' : name)}
              className={clsx(
                'flex h-8 w-full items-center gap-2 rounded-control px-2 text-left text-small hover:bg-hover',
                name === chosen ? 'bg-surface font-[550] text-ink shadow-card' : 'text-ink-2',
              )}
            >
              <span className="min-w-0 flex-1 truncate">{called(name)}</span>
              <span aria-hidden className="text-ink-3 tabular-nums">
                {tools}
              </span>
              <span className="sr-only">{t('explorer.tools', { count: tools })}</span>
            </button>
          </li>
        ))}
      </ul>
    </nav>
  )
}
