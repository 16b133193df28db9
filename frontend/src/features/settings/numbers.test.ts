import { expect, it } from 'vitest'
import { callbackPort, keptNumber, numberSettings, shownNumber, type NumberSetting } from './numbers'

const of = (key: NumberSetting['key']): NumberSetting => {
  const setting = numberSettings.find((known) => known.key === key)
  if (!setting) throw new Error(key)
  return setting
}

it.each([
  ['defaults.timeout', '30', 30],
  ['defaults.buffer_size', '10485760', 10],
  ['defaults.buffer_size', '65536', 0.0625],
] as const)('%s: %s is shown and kept as %s', (key, kept, shown) => {
  expect(shownNumber(of(key), kept)).toBe(shown)
  expect(keptNumber(of(key), shown)).toBe(kept)
})

it.each([
  ['defaults.timeout', 0],
  ['defaults.timeout', 3601],
  ['call_max_time', Number.NaN],
  ['call_max_time', -1],
] as const)('%s cannot be %s', (key, typed) => {
  expect(keptNumber(of(key), typed)).toBeUndefined()
})

it('brings the default back for an empty field, and shows nothing for nonsense', () => {
  expect(keptNumber(of('call_max_time'), undefined)).toBe('')
  expect([shownNumber(of('call_max_time'), 'x'), shownNumber(of('call_max_time'), '')]).toEqual([undefined, undefined])
})

it('takes ports only', () => {
  expect([1, 8913, 65_535].map((port) => keptNumber(callbackPort, port))).toEqual(['1', '8913', '65535'])
  expect([0, 65_536, 80.5].map((port) => keptNumber(callbackPort, port))).toEqual([undefined, undefined, undefined])
})
