import { useTranslation } from 'react-i18next'
import { FolderList } from '@/features/folders'
import type { Server } from '@/lib/api'
import { useRoots } from './useRoots'

/** The folders that the server is told of when it asks. A change is told to it at once; nothing is started again. */
export function Roots({ server, readOnly }: { server: Server; readOnly: boolean }) {
  const { t } = useTranslation()
  const change = useRoots(server.id)
  return (
    <div className="px-3.5 py-2.5">
      <div className="text-small text-ink-3">{t('server.settings.rootsMore')}</div>
      <FolderList
        name={t('server.settings.roots')}
        folders={server.roots ?? []}
        none={t('server.settings.noRoots')}
        readOnly={readOnly}
        busy={change.isPending}
        error={change.error}
        onAdd={(root) => change.mutateAsync({ add: [root] })}
        onRemove={(root) => change.mutateAsync({ remove: [root] })}
      />
    </div>
  )
}
