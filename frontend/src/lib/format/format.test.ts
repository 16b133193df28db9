import { describe, expect, it } from 'vitest'
import {
  daysAgo,
  formatAgo,
  formatBytes,
  formatDay,
  formatDuration,
  formatNumber,
  formatSpan,
  formatTime,
  formatWhen,
} from '.'

/** Makes the spaces that cannot break visible. */
const shown = (text: string) => text.replaceAll('\u00a0', '~').replaceAll('\u202f', '~')

describe('formatDuration', () => {
  it.each([
    [0, '0~ms'],
    [214, '214~ms'],
    [999.6, '1,00~s'],
    [1310, '1,31~s'],
    [9_994, '9,99~s'],
    [9_995, '10~s'],
    [42_400, '42~s'],
    [180_000, '3~min'],
  ])('%d ms is %s', (ms, want) => {
    expect(shown(formatDuration(ms, 'fr'))).toBe(want)
  })

  it('uses the point in English, and fewer decimals where asked', () => {
    expect(shown(formatDuration(1310, 'en'))).toBe('1.31~s')
    expect(shown(formatDuration(1899, 'fr', 1))).toBe('1,9~s')
  })
})

it('says a span in its largest whole unit', () => {
  const spans = [40_000, 26 * 60_000, 6 * 3_600_000, 47 * 3_600_000, 72 * 3_600_000]
  expect(spans.map((ms) => shown(formatSpan(ms, 'fr')))).toEqual(['40~s', '26~min', '6~h', '47~h', '3~j'])
  expect(shown(formatSpan(72 * 3_600_000, 'en'))).toBe('3~d')
})

it('groups digits and sizes as the language does', () => {
  expect(shown(formatNumber(18391, 'fr'))).toBe('18~391')
  expect(formatNumber(18391, 'en')).toBe('18,391')
  expect([999, 48_000_000, 1_400_000_000].map((n) => shown(formatBytes(n, 'fr')))).toEqual(['999~o', '48~Mo', '1,4~Go'])
  expect(shown(formatBytes(2_000, 'en'))).toBe('2.0~kB')
})

describe('instants', () => {
  const now = new Date(2026, 10, 26, 16, 4)
  const at = (day: number, hour: number, minute: number) => new Date(2026, 10, day, hour, minute)

  it.each([
    [at(26, 15, 38), 'il~y~a~26~min', '26~min~ago'],
    [at(26, 9, 5), 'à 09:05', 'at 09:05'],
    [at(25, 18, 42), 'hier à 18:42', 'yesterday at 18:42'],
    [at(23, 9, 12), 'lundi à 09:12', 'Monday at 09:12'],
    [at(12, 9, 12), 'le 12 novembre', 'on 12 November'],
  ])('are told as in a sentence', (then, french, english) => {
    expect(shown(formatWhen(then, 'fr', now))).toBe(french)
    expect(shown(formatWhen(then, 'en', now))).toBe(english)
  })

  it('count midnights, not hours', () => {
    expect(daysAgo(at(25, 23, 59), at(26, 0, 1))).toBe(1)
    expect(daysAgo(at(26, 0, 1), at(26, 23, 59))).toBe(0)
  })

  it('name the year when it is another one, and never count backwards', () => {
    expect(formatDay(new Date(2025, 0, 2), 'fr', now)).toBe('2 janvier 2025')
    expect(formatTime(at(26, 9, 5), 'fr')).toBe('09:05')
    expect(shown(formatAgo(at(26, 16, 30), 'fr', now))).toBe('à l’instant')
  })
})
