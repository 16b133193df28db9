import i18next, { type i18n } from 'i18next'
import { initReactI18next, useTranslation } from 'react-i18next'
import en from '@/locales/en.json'
import fr from '@/locales/fr.json'
import type { Lang } from './format'

/** The language that the system asks for; French for anything that is neither of ours is not assumed. */
export function systemLanguage(): Lang {
  return navigator.language.toLowerCase().startsWith('fr') ? 'fr' : 'en'
}

/** Starts the words of the interface in one language. */
export function startI18n(lang: Lang): i18n {
  void i18next.use(initReactI18next).init({
    lng: lang,
    fallbackLng: 'fr',
    resources: { fr: { translation: fr }, en: { translation: en } },
    interpolation: { escapeValue: false }, // React escapes
    returnNull: false,
    initAsync: false,
  })
  document.documentElement.lang = lang
  return i18next
}

export function setLanguage(lang: Lang): void {
  document.documentElement.lang = lang
  void i18next.changeLanguage(lang)
}

/** The language in use, for lib/format. */
export function useLang(): Lang {
  return useTranslation().i18n.language === 'en' ? 'en' : 'fr'
}
