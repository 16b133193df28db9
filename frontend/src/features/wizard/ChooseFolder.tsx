import { FolderOpen, Plus } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { native } from '@/lib/native'
import { IconButton } from '@/ui'

/** The system's own dialog for a folder; a browser has none, and no button. */
export function ChooseFolder({ onChoose, add = false }: { onChoose: (path: string) => void; add?: boolean }) {
  const { t } = useTranslation()
  const choose = native('ChooseFolder')
  if (!choose) return null
  const pick = async () => {
    const path = await choose(t('wizard.chooseFolder'))
    if (path !== '') onChoose(path)
  }
  return (
    <IconButton
      icon={add ? Plus : FolderOpen}
      look="plain"
      label={t('wizard.chooseFolder')}
      onClick={() => void pick()}
    />
  )
}
