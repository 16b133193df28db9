import { Link, useRouterState } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useStatus } from '@/features/program'
import { Count, Icon, Kbd, Logo, Tooltip } from '@/ui'
import { GatewayFoot } from './GatewayFoot'
import { sections, type Section } from './sections'
import { onMac } from './shortcuts'

export function Sidebar({ onSearch }: { onSearch: () => void }) {
  const { t } = useTranslation()
  const waiting = useStatus().data?.inbox ?? 0
  return (
    <nav aria-label={t('shell.navigation')} data-pane className="flex flex-col gap-0.5 bg-window px-2.5 pt-3.5 pb-2.5">
      <div className="flex items-center gap-[9px] px-1.5 pb-3 text-sm font-semibold tracking-[-.005em] max-md:px-1">
        <Logo />
        <div className="leading-5 max-md:hidden">
          Apollia
          <small className="block text-[11.5px] leading-3.5 font-normal text-ink-3">Connexions</small>
        </div>
      </div>
      <SearchButton onClick={onSearch} />
      {sections.map((section) => (
        <Entry key={section.to} section={section} count={section.name === 'inbox' ? waiting : 0} />
      ))}
      <GatewayFoot />
    </nav>
  )
}

function SearchButton({ onClick }: { onClick: () => void }) {
  const { t } = useTranslation()
  return (
    <button
      type="button"
      onClick={onClick}
      className="mb-2.5 flex h-8 items-center gap-2 rounded-control border border-line bg-surface px-2 text-left text-small text-ink-3 max-md:w-9 max-md:justify-center max-md:p-0"
    >
      <Icon of={Search} size={15} />
      <span className="flex-1 max-md:sr-only">{t('shell.search')}</span>
      <Kbd className="max-md:hidden">{onMac() ? '⌘ K' : 'Ctrl K'}</Kbd>
    </button>
  )
}

function Entry({ section, count }: { section: Section; count: number }) {
  const { t } = useTranslation()
  const name = t(`shell.sections.${section.name}`)
  // The page of a server, the tools and the preferences belong to the list they are opened from.
  const within = useRouterState({
    select: ({ location }) => section.to === '/' && /^\/(servers\/|tools|preferences)/.test(location.pathname),
  })
  return (
    <>
      {section.apart && <div aria-hidden className="m-2 h-px bg-line opacity-75" />}
      <Tooltip text={name} side="right">
        <Link
          to={section.to}
          activeOptions={{ exact: section.to === '/' }}
          {...(within ? { 'data-status': 'active', 'aria-current': 'true' } : {})}
          className="group relative flex h-8 items-center gap-2.5 rounded-control px-2 font-[450] text-ink-2 no-underline hover:bg-hover data-[status=active]:bg-surface data-[status=active]:font-[550] data-[status=active]:text-ink data-[status=active]:shadow-card max-md:w-9 max-md:justify-center max-md:p-0 dark:data-[status=active]:bg-raised"
        >
          <Icon of={section.icon} size={17} className="text-ink-3 group-data-[status=active]:text-accent-text" />
          <span className="min-w-0 flex-1 truncate max-md:sr-only">{name}</span>
          {count > 0 && (
            <Count className="max-md:absolute max-md:top-px max-md:-right-1 max-md:h-4 max-md:min-w-4 max-md:px-1 max-md:text-[10.5px] max-md:leading-4">
              <span aria-hidden>{count}</span>
              <span className="sr-only">{t('shell.waiting', { count })}</span>
            </Count>
          )}
        </Link>
      </Tooltip>
    </>
  )
}
