// Settings that are numbers, in the unit a person reads and the one the core keeps.
export interface NumberSetting {
  key:
    | 'defaults.timeout'
    | 'defaults.buffer_size'
    | 'call_idle_timeout'
    | 'call_max_time'
    | 'oauth.callback_port'
    | 'audit.keep_days'
    | 'sampling.per_hour'
    | 'elicitation.per_hour'
    | 'approvals.wait_minutes'
  /** Absent for a number that counts nothing. */
  unit?: 'seconds' | 'mib' | 'days' | 'texts' | 'questions' | 'minutes'
  min: number
  max: number
}

const MIB = 1 << 20

export const numberSettings: readonly NumberSetting[] = [
  { key: 'defaults.timeout', unit: 'seconds', min: 1, max: 3600 },
  { key: 'defaults.buffer_size', unit: 'mib', min: 1 / 16, max: 1024 },
  { key: 'call_idle_timeout', unit: 'seconds', min: 1, max: 86_400 },
  { key: 'call_max_time', unit: 'seconds', min: 1, max: 86_400 },
  { key: 'elicitation.per_hour', unit: 'questions', min: 1, max: 10_000 },
  { key: 'approvals.wait_minutes', unit: 'minutes', min: 0, max: 43_200 },
]

/** The loopback port that sign-ins come back to. */
export const callbackPort: NumberSetting = { key: 'oauth.callback_port', min: 1, max: 65_535 }

/** For how many days the journal is kept. */
export const keepDays: NumberSetting = { key: 'audit.keep_days', unit: 'days', min: 0, max: 36_500 }

/** How many texts one server may ask for. */
export const textsPerHour: NumberSetting = { key: 'sampling.per_hour', unit: 'texts', min: 1, max: 10_000 }

/** Parts of a second or of a MiB make sense; those of a port, a day, a minute, a text or a question do not. */
const isWhole = (unit: NumberSetting['unit']) => unit !== 'seconds' && unit !== 'mib'

/** The number to show for a kept value. */
export function shownNumber({ unit }: NumberSetting, value: string): number | undefined {
  const number = Number(value)
  if (value.trim() === '' || !Number.isFinite(number)) return undefined
  return unit === 'mib' ? number / MIB : number
}

/** The value to keep for a typed number; undefined when it is out of bounds. An empty field brings the default back: "". */
export function keptNumber({ unit, min, max }: NumberSetting, typed: number | undefined): string | undefined {
  if (typed === undefined) return ''
  if (!(typed >= min && typed <= max) || (isWhole(unit) && !Number.isInteger(typed))) return undefined
  return String(unit === 'mib' ? Math.round(typed * MIB) : typed)
}
