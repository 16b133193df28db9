import { formatSpan } from './duration'
import type { Lang } from './number'

type Instant = Date | string

const date = (instant: Instant) => (typeof instant === 'string' ? new Date(instant) : instant)
const hard = '\u00a0'

/** The time of day: 16:04. */
export function formatTime(instant: Instant, lang: Lang, seconds = false): string {
  return date(instant).toLocaleTimeString(lang === 'fr' ? 'fr-FR' : 'en-GB', {
    hour: '2-digit',
    minute: '2-digit',
    ...(seconds ? { second: '2-digit' } : {}),
  })
}

/** A day: "26 novembre", "26 November"; with the year when it is another one. */
export function formatDay(instant: Instant, lang: Lang, now = new Date()): string {
  const day = date(instant)
  return day.toLocaleDateString(lang === 'fr' ? 'fr-FR' : 'en-GB', {
    day: 'numeric',
    month: 'long',
    ...(day.getFullYear() === now.getFullYear() ? {} : { year: 'numeric' }),
  })
}

/** How many midnights lie between two instants: 0 today, 1 yesterday. */
export function daysAgo(instant: Instant, now = new Date()): number {
  const midnight = (d: Date) => new Date(d.getFullYear(), d.getMonth(), d.getDate()).getTime()
  return Math.round((midnight(now) - midnight(date(instant))) / 86_400_000)
}

/** When something happened, as in a sentence: "il y a 26 min", "hier à 18:42", "lundi à 09:12", "le 21 novembre". */
export function formatWhen(instant: Instant, lang: Lang, now = new Date()): string {
  const then = date(instant)
  const days = daysAgo(then, now)
  const time = formatTime(then, lang)
  if (now.getTime() - then.getTime() < 3_600_000) return formatAgo(then, lang, now)
  if (days <= 0) return lang === 'fr' ? `à ${time}` : `at ${time}`
  if (days === 1) return lang === 'fr' ? `hier à ${time}` : `yesterday at ${time}`
  if (days < 7) {
    const weekday = then.toLocaleDateString(lang === 'fr' ? 'fr-FR' : 'en-GB', { weekday: 'long' })
    return lang === 'fr' ? `${weekday} à ${time}` : `${weekday} at ${time}`
  }
  return lang === 'fr' ? `le ${formatDay(then, lang, now)}` : `on ${formatDay(then, lang, now)}`
}

/** How long ago: "il y a 40 s", "40 s ago"; "à l’instant" within the second. A line never breaks in it. */
export function formatAgo(instant: Instant, lang: Lang, now = new Date()): string {
  const ms = now.getTime() - date(instant).getTime()
  if (ms < 1000) return lang === 'fr' ? 'à l’instant' : 'just now'
  const span = formatSpan(ms, lang)
  return lang === 'fr' ? `il${hard}y${hard}a${hard}${span}` : `${span}${hard}ago`
}
