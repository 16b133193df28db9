import { useTranslation } from 'react-i18next'
import { useToast } from '@/ui'

/** A function that puts text on the clipboard and says so. */
export function useCopy(): (text: string) => void {
  const { t } = useTranslation()
  const toast = useToast()
  return (text) => {
    navigator.clipboard.writeText(text).then(
      () => toast({ tone: 'ok', text: t('common.copied') }),
      () => toast({ tone: 'danger', text: t('common.copyFailed') }),
    )
  }
}
