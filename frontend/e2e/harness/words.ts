import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import i18next, { type i18n } from 'i18next'
import { frontend } from './paths'

export type Lang = 'fr' | 'en'

/** Says a key as the interface says it, without the marks of its rich texts. */
export type Words = (key: string, args?: Record<string, string | number>) => string

const resource = (lang: Lang): Record<string, unknown> =>
  JSON.parse(readFileSync(join(frontend, 'src/locales', `${lang}.json`), 'utf8')) as Record<string, unknown>

/** The first parts of all keys, such as "common" and "wizard". */
export const roots = Object.keys(resource('fr'))

export async function wordsIn(lang: Lang): Promise<Words> {
  const words: i18n = i18next.createInstance()
  await words.init({
    lng: lang,
    resources: { [lang]: { translation: resource(lang) } },
    interpolation: { escapeValue: false },
  })
  return (key, args = {}) => {
    const text = words.t(key, args)
    if (text === key) throw new Error(`there is no text ${key}`)
    if (text.includes('{{')) throw new Error(`${key} needs another fact: ${text}`)
    return text.replaceAll(/<\/?\w+>/g, '')
  }
}
