import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { reachOf, RowMenu, StopDialog, useRowActions } from '@/features/connexions'
import {
  ConfigFileBadge,
  RevisionBadge,
  ServerStateWord,
  ServerTile,
  TransportBadge,
  TrustBadge,
} from '@/features/vocabulary'
import type { Server } from '@/lib/api'
import { Icon, Switch, Tooltip } from '@/ui'

/** Back, icon, name, state, badges, where it is reached, switch, menu. */
export function ServerHead({ server }: { server: Server }) {
  const { t } = useTranslation()
  const actions = useRowActions()
  const [menu, setMenu] = useState(false)
  const [stopping, setStopping] = useState<Server>()
  const onSwitch = (on: boolean) => {
    if (!on && server.running_calls > 0) setStopping(server)
    else actions.switchTo(server, on)
  }
  return (
    <header className="flex items-center gap-3 px-[var(--px)] pt-[18px] pb-2">
      <Tooltip text={t('server.back')}>
        <Link
          to="/"
          aria-label={t('server.back')}
          className="grid size-7 flex-none place-items-center rounded-control text-ink-2 hover:bg-hover"
        >
          <Icon of={ArrowLeft} size={17} />
        </Link>
      </Tooltip>
      <ServerTile server={server} size="large" />
      <div className="min-w-0 flex-1">
        <div className="flex items-center gap-2.5">
          <h1 tabIndex={-1} className="truncate text-title font-semibold tracking-[-.012em]">
            {server.name}
          </h1>
          <ServerStateWord state={server.state} />
        </div>
        <div className="mt-[3px] flex items-center gap-1.5 overflow-hidden">
          <TransportBadge transport={server.transport} inUse={server.transport_in_use} />
          {server.protocol_version && <RevisionBadge revision={server.protocol_version} />}
          <TrustBadge trust={server.trust} />
          {server.source === 'config.toml' && <ConfigFileBadge line={server.line} />}
          <span className="truncate text-caption text-ink-3 max-md:hidden">{reachOf(server)}</span>
        </div>
      </div>
      <span className="text-small text-ink-2">{t(server.enabled ? 'server.on' : 'server.off')}</span>
      <Switch on={server.enabled} onChange={onSwitch} label={t('connexions.switch', { name: server.name })} />
      <RowMenu server={server} actions={actions} open={menu} onOpenChange={setMenu} tabIndex={0} framed />
      <StopDialog
        server={stopping}
        onStop={(stopped) => actions.switchTo(stopped, false)}
        onClose={() => setStopping(undefined)}
      />
    </header>
  )
}
