import { useTranslation } from 'react-i18next'
import { FolderList } from '@/features/folders'
import { useChangeSetting, useSettings, useStatus } from '@/features/program'
import { ConfigFileBadge } from '@/features/vocabulary'
import { isInFile } from './SettingRow'

const settingKey = 'modules.folders'

/** The folders that agents reach by the modules of the program. */
export function OpenFolders() {
  const { t } = useTranslation()
  const change = useChangeSetting()
  const setting = useSettings().data?.find(({ key }) => key === settingKey)
  // The core joins them as its system joins a PATH.
  const separator = (useStatus().data?.data_folder ?? '/').startsWith('/') ? ':' : ';'
  const folders = setting?.value ? setting.value.split(separator) : []
  const become = (list: readonly string[]) => change.mutateAsync({ key: settingKey, value: list.join(separator) })
  const fixed = setting !== undefined && isInFile(setting)
  return (
    <div data-setting={settingKey} className="px-3.5 py-[9px]">
      <div className="flex items-center gap-3">
        <div className="flex-1 font-medium">{t('settings.folders')}</div>
        {fixed && <ConfigFileBadge line={setting.line} />}
      </div>
      <div className="text-small break-words text-ink-3">{t('settings.foldersMore')}</div>
      <FolderList
        name={t('settings.folders')}
        folders={folders}
        none={t('settings.foldersNone')}
        readOnly={fixed}
        busy={change.isPending}
        error={change.error}
        onAdd={(folder) => become([...folders.filter((other) => other !== folder), folder])}
        onRemove={(folder) => become(folders.filter((other) => other !== folder))}
      />
    </div>
  )
}
