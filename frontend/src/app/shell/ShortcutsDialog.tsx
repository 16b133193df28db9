import { useTranslation } from 'react-i18next'
import { Button, Dialog, Kbd } from '@/ui'
import { sections } from './sections'
import { onMac } from './shortcuts'

/** Every shortcut of the window, opened by "?". */
export function ShortcutsDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useTranslation()
  const command = onMac() ? '⌘' : 'Ctrl'
  const rows = [
    { keys: [command, 'K'], does: t('shortcuts.palette') },
    { keys: ['/'], does: t('shortcuts.search') },
    { keys: [command, '.'], does: t('halt.stop') },
    { keys: [command, 'N'], does: t('shortcuts.add') },
    ...sections.map((section, n) => ({ keys: [command, String(n + 1)], does: t(`shell.sections.${section.name}`) })),
    { keys: ['F6'], does: t('shortcuts.pane') },
    { keys: [t('keys.space')], does: t('shortcuts.toggle') },
    { keys: ['A'], does: t('shortcuts.action') },
    { keys: [command, t('keys.enter')], does: t('shortcuts.submit') },
    { keys: [t('keys.escape')], does: t('shortcuts.close') },
    { keys: ['?'], does: t('shortcuts.help') },
  ]
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t('shortcuts.title')}
      description={t('shortcuts.letters')}
      actions={<Button onClick={onClose}>{t('common.close')}</Button>}
    >
      <dl className="grid grid-cols-[1fr_auto] gap-x-6 gap-y-1.5 text-small">
        {rows.map(({ keys, does }) => (
          <div key={does} className="contents">
            <dt>{does}</dt>
            <dd className="flex justify-end gap-1">
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
