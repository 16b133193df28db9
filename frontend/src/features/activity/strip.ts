import type { Bar } from './calls'

const TALLEST = 34
const ALWAYS_SEEN = 3

/** Heights in pixels: failures are told apart from the rest, and nothing that happened is too low to see. */
export function barHeights(bars: readonly Bar[]): Bar[] {
  const most = Math.max(1, ...bars.map(({ calls }) => calls))
  return bars.map(({ calls, failures }) => {
    const height = (count: number) => (count === 0 ? 0 : Math.max(ALWAYS_SEEN, Math.round((count / most) * TALLEST)))
    const red = height(failures)
    return { calls: calls === failures ? 0 : Math.max(height(calls) - red, 1), failures: red }
  })
}

/** The selected hours after moving from one hour to another while extending. */
export function extended(
  hours: readonly [number, number] | undefined,
  from: number,
  to: number,
): readonly [number, number] {
  if (!hours) return [Math.min(from, to), Math.max(from, to)]
  if (from === hours[1] && to >= hours[0]) return [hours[0], to]
  if (from === hours[0] && to <= hours[1]) return [to, hours[1]]
  return [Math.min(hours[0], to), Math.max(hours[1], to)]
}

export interface HourLabel {
  hour: number
  isNow: boolean
}

/** The hours that are written under the strip: every sixth one, and the present one in place of its neighbours. */
export function hourLabels(now: number | undefined): HourLabel[] {
  const sixths = [0, 6, 12, 18].map((hour) => ({ hour, isNow: false }))
  if (now === undefined) return sixths
  return [...sixths.filter(({ hour }) => Math.abs(hour - now) > 2), { hour: now, isNow: true }].toSorted(
    (a, b) => a.hour - b.hour,
  )
}
