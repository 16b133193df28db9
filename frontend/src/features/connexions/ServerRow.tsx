import clsx from 'clsx'
import { ChevronRight } from 'lucide-react'
import { memo, useState, type KeyboardEvent, type MouseEvent } from 'react'
import { useTranslation } from 'react-i18next'
import {
  ConfigFileBadge,
  RevisionBadge,
  ServerStateWord,
  ServerTile,
  TransportBadge,
  TrustBadge,
  useFailureWords,
} from '@/features/vocabulary'
import type { Server } from '@/lib/api'
import { formatWhen } from '@/lib/format'
import { useLang } from '@/lib/i18n'
import { Button, Icon, Switch, Tooltip } from '@/ui'
import { reasonOf } from './reason'
import { rowGrid } from './rowGrid'
import { RowMenu } from './RowMenu'
import { ServerDetails } from './ServerDetails'
import { ServerSignIn } from './ServerSignIn'
import { useActionOf } from './useActionOf'
import type { RowActions } from './useRowActions'

export interface ServerRowProps {
  server: Server
  actions: RowActions
  /** Whether this row is the tab stop of the list. */
  current: boolean
  onCurrent: (id: string) => void
  onSwitch: (server: Server, on: boolean) => void
}

export const ServerRow = memo(function ServerRow({ server, actions, current, onCurrent, onSwitch }: ServerRowProps) {
  const { t } = useTranslation()
  const lang = useLang()
  const words = useFailureWords()
  const [open, setOpen] = useState(false)
  const [menu, setMenu] = useState(false)
  const reason = reasonOf(server, words, t, lang)
  const action = useActionOf(server)
  const tabIndex = current ? 0 : -1

  const keys: Record<string, () => void> = {
    Enter: () => actions.open(server),
    ' ': () => onSwitch(server, !server.enabled),
    a: () => action && actions.perform(action.does, server),
    ArrowRight: () => setOpen(true),
    ArrowLeft: () => setOpen(false),
    ContextMenu: () => setMenu(true),
  }
  const press = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return
    const run =
      event.shiftKey && event.key === 'F10'
        ? keys.ContextMenu
        : keys[event.key.length === 1 ? event.key.toLowerCase() : event.key]
    if (run === undefined) return
    event.preventDefault()
    run()
  }
  const click = (event: MouseEvent<HTMLElement>) => {
    const onControl =
      event.target instanceof Element && event.target.closest('button, a, [role="menu"], [data-details]')
    if (!onControl) setOpen((now) => !now)
  }

  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- one stop per row, with its controls inside
    <li
      tabIndex={tabIndex}
      data-row={server.id}
      aria-label={t('connexions.row', { name: server.name, state: t(`states.${server.state}`), reason: reason.full })}
      onKeyDown={press}
      onClick={click}
      onFocus={() => onCurrent(server.id)}
      onContextMenu={(event) => {
        event.preventDefault()
        setMenu(true)
      }}
      className="first:rounded-t-[9px] last:rounded-b-[9px] focus-visible:relative focus-visible:z-10"
    >
      <div className={clsx(rowGrid, 'min-h-[55px] lg:min-h-[53px] py-1.5 pr-3 pl-3.5 hover:bg-hover')}>
        <ServerTile server={server} />
        <div className="flex min-w-0 flex-col gap-[3px]">
          <div className="flex min-w-0 items-center gap-[7px]">
            <span title={server.name} className="truncate text-[13.5px] font-[550]">
              {server.name}
            </span>
            {server.source === 'config.toml' && <ConfigFileBadge line={server.line} />}
            <Icon
              of={ChevronRight}
              size={14}
              className={clsx(
                'text-ink-3 transition-transform',
                open ? 'rotate-90' : 'opacity-0 [li:hover_&]:opacity-100',
              )}
            />
          </div>
          <div className="flex items-center gap-[5px] overflow-hidden">
            <TransportBadge transport={server.transport} inUse={server.transport_in_use} />
            {server.protocol_version && <RevisionBadge revision={server.protocol_version} />}
            <span className="ml-px lg:hidden">
              <TrustBadge trust={server.trust} />
            </span>
          </div>
        </div>
        <div className="hidden min-w-0 lg:block">
          <TrustBadge trust={server.trust} />
          <div className="mt-0.5 truncate text-caption text-ink-3">
            {server.last_call_at
              ? t('connexions.lastCall', { when: formatWhen(server.last_call_at, lang) })
              : t('connexions.neverCalled')}
          </div>
        </div>
        <div className="flex min-w-0 flex-col gap-px max-sm:col-start-2 max-sm:row-start-2">
          <ServerStateWord state={server.state} />
          <Tooltip text={reason.full}>
            <span className="truncate text-small text-ink-3">{reason.short}</span>
          </Tooltip>
        </div>
        <div className="text-right text-small whitespace-nowrap text-ink-2 tabular-nums max-sm:hidden">
          {server.tools > 0 ? t('connexions.tools', { count: server.tools }) : <span className="text-ink-3">—</span>}
        </div>
        <div className="flex justify-end max-sm:col-span-2 max-sm:col-start-3 max-sm:row-start-2">
          {action && (
            <Button
              small
              tabIndex={tabIndex}
              look={action.icon ? 'plain' : 'ghost'}
              {...(action.icon ? { icon: action.icon } : {})}
              onClick={() => actions.perform(action.does, server)}
            >
              {t(`connexions.actions.${action.does}`)}
            </Button>
          )}
        </div>
        <Switch
          on={server.enabled}
          tabIndex={tabIndex}
          label={t('connexions.switch', { name: server.name })}
          onChange={(on) => onSwitch(server, on)}
        />
        <RowMenu server={server} actions={actions} open={menu} onOpenChange={setMenu} tabIndex={tabIndex} />
      </div>
      <ServerSignIn server={server} className="mx-3.5 mb-3" />
      {open && <ServerDetails server={server} />}
    </li>
  )
})
