import { useTranslation } from 'react-i18next'
import { useChangeSetting, useSettings } from '@/features/program'
import { useFailureWords } from '@/features/vocabulary'
import type { Setting } from '@/lib/api'
import { useToast } from '@/ui'

export interface SettingHandle {
  setting: Setting | undefined
  value: string
  /** Set by config.toml: only shown here. */
  fixed: boolean
  /** Takes a value at once; undefined brings the default back. A refused one goes back, with its reason. */
  change: (value: string | undefined) => void
}

/** One setting and the way to change it. */
export function useSetting(key: string): SettingHandle {
  const { t } = useTranslation()
  const toast = useToast()
  const words = useFailureWords()
  const setting = useSettings().data?.find((known) => known.key === key)
  const change = useChangeSetting()
  const fixed = setting?.from === 'config.toml'
  return {
    setting,
    value: setting?.value ?? '',
    fixed,
    change: (value) => {
      if (fixed) {
        toast({ text: t('settings.fixed', { line: setting.line }) })
        return
      }
      change.mutate(
        { key, value },
        { onError: (error) => toast({ tone: 'danger', text: `${words(error).what} ${words(error).fix}` }) },
      )
    },
  }
}
