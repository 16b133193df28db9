/** The two languages of the interface. */
export type Lang = 'fr' | 'en'

/** A count or a quantity: 18 391 in French, 18,391 in English. */
export function formatNumber(value: number, lang: Lang, digits = 0): string {
  return new Intl.NumberFormat(lang, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value)
}

const units = { fr: ['o', 'ko', 'Mo', 'Go', 'To'], en: ['B', 'kB', 'MB', 'GB', 'TB'] }

/** A size in decimal units, as file managers show it: 48 Mo, 1,4 Go. */
export function formatBytes(bytes: number, lang: Lang): string {
  let value = bytes
  let unit = 0
  while (value >= 1000 && unit < units[lang].length - 1) {
    value /= 1000
    unit++
  }
  const digits = unit > 0 && value < 10 ? 1 : 0
  return `${formatNumber(value, lang, digits)}\u00a0${units[lang][unit] ?? ''}`
}
