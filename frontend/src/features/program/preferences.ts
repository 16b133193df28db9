import type { Setting } from '@/lib/api'
import type { Lang } from '@/lib/format'
import { systemLanguage } from '@/lib/i18n'

export interface Preferences {
  language: Lang
  theme: 'system' | 'light' | 'dark'
  /** Shortcuts of one letter, such as "/" and "?". */
  letterShortcuts: boolean
}

/** The keys of the settings that the interface itself reads. */
export const settingKeys = {
  language: 'ui.language',
  theme: 'ui.theme',
  letterShortcuts: 'ui.letter_shortcuts',
} as const

/** Reads the interface's own settings; an unknown or missing value means the system's choice. */
export function preferencesOf(settings: readonly Setting[]): Preferences {
  const value = (key: string) => settings.find((setting) => setting.key === key)?.value
  const language = value(settingKeys.language)
  const theme = value(settingKeys.theme)
  return {
    language: language === 'fr' || language === 'en' ? language : systemLanguage(),
    theme: theme === 'light' || theme === 'dark' ? theme : 'system',
    letterShortcuts: value(settingKeys.letterShortcuts) !== 'false',
  }
}
