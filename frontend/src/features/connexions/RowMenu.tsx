import {
  ClipboardCopy,
  CopyPlus,
  Ellipsis,
  EllipsisVertical,
  FlaskConical,
  PanelRightOpen,
  Pencil,
  RotateCw,
  Trash2,
} from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Server } from '@/lib/api'
import { IconButton, Menu, type MenuItem } from '@/ui'
import type { RowActions } from './useRowActions'

export interface RowMenuProps {
  server: Server
  actions: RowActions
  open: boolean
  onOpenChange: (open: boolean) => void
  tabIndex: number
  /** On a page of its own: a button with an edge. */
  framed?: boolean
}

export function RowMenu({ server, actions, open, onOpenChange, tabIndex, framed = false }: RowMenuProps) {
  const { t } = useTranslation()
  const inFile = server.source === 'config.toml'
  const items: MenuItem[] = [
    {
      label: t('connexions.menu.open'),
      icon: PanelRightOpen,
      onSelect: () => actions.open(server),
      keys: t('keys.enter'),
    },
    {
      label: inFile ? t('connexions.menu.editInFile', { line: server.line ?? 1 }) : t('connexions.menu.edit'),
      icon: Pencil,
      onSelect: () => actions.edit(server),
      inactive: inFile,
    },
    { label: t('connexions.menu.test'), icon: FlaskConical, onSelect: () => actions.test(server) },
    {
      label: t('connexions.menu.reconnect'),
      icon: RotateCw,
      onSelect: () => actions.reconnect(server),
      inactive: !server.enabled,
    },
    { label: t('connexions.menu.duplicate'), icon: CopyPlus, onSelect: () => actions.duplicate(server), apart: true },
    { label: t('connexions.menu.copy'), icon: ClipboardCopy, onSelect: () => actions.copy(server) },
    {
      label: t('connexions.menu.remove'),
      icon: Trash2,
      onSelect: () => actions.remove(server),
      danger: true,
      inactive: inFile,
      apart: true,
    },
  ]
  return (
    <Menu
      open={open}
      onOpenChange={onOpenChange}
      items={items}
      trigger={
        <IconButton
          icon={framed ? Ellipsis : EllipsisVertical}
          look={framed ? 'plain' : 'ghost'}
          label={t('connexions.menu.label', { name: server.name })}
          tabIndex={tabIndex}
          className={framed ? '' : '-mx-1.5'}
        />
      }
    />
  )
}
