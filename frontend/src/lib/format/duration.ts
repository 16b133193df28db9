import { formatNumber, type Lang } from './number'

const hard = '\u00a0'

/**
 * A duration in milliseconds as a person reads it: 214 ms, 1,31 s, 12 s, 3 min, 2 h. digits are the decimals under ten
 * seconds.
 */
export function formatDuration(ms: number, lang: Lang, digits = 2): string {
  if (ms < 999.5) return `${Math.round(ms)}${hard}ms`
  if (ms < 9_995) return `${formatNumber(ms / 1000, lang, digits)}${hard}s`
  if (ms < 59_500) return `${Math.round(ms / 1000)}${hard}s`
  return formatSpan(ms, lang)
}

const spanUnits = { fr: { s: 's', min: 'min', h: 'h', d: 'j' }, en: { s: 's', min: 'min', h: 'h', d: 'd' } }

/** A rough span in milliseconds, in its largest whole unit: 40 s, 26 min, 6 h, 3 j. */
export function formatSpan(ms: number, lang: Lang): string {
  const unit = spanUnits[lang]
  const seconds = Math.round(ms / 1000)
  if (seconds < 60) return `${seconds}${hard}${unit.s}`
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return `${minutes}${hard}${unit.min}`
  const hours = Math.round(minutes / 60)
  return hours < 48 ? `${hours}${hard}${unit.h}` : `${Math.round(hours / 24)}${hard}${unit.d}`
}

/** A time that is running, to the second: 12 s, 1 min 12 s, 2 h 05 min. */
export function formatElapsed(ms: number, lang: Lang): string {
  const unit = spanUnits[lang]
  const seconds = Math.max(0, Math.floor(ms / 1000))
  const two = (n: number) => String(n).padStart(2, '0')
  if (seconds < 60) return `${seconds}${hard}${unit.s}`
  if (seconds < 3600) return `${Math.floor(seconds / 60)}${hard}${unit.min} ${two(seconds % 60)}${hard}${unit.s}`
  if (seconds < 86_400)
    return `${Math.floor(seconds / 3600)}${hard}${unit.h} ${two(Math.floor(seconds / 60) % 60)}${hard}${unit.min}`
  return formatSpan(ms, lang)
}
