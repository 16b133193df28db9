import { describe, expect, it } from 'vitest'
import type { TestReport } from '@/lib/api'
import { countsOf, elapsedOf, proofLines, rowsOf, shortPath } from './report'

const report = (change: Partial<TestReport>): TestReport => ({
  id: 't1',
  server: 'pg',
  name: 'pg',
  running: false,
  ok: false,
  transport: 'stdio',
  started_at: '2026-11-26T16:04:00Z',
  steps: [],
  tools: [],
  resources: [],
  templates: [],
  prompts: [],
  ...change,
})

describe('rowsOf', () => {
  const steps = [
    { name: 'resolve' as const, ok: true, start_ms: 0, ms: 100 },
    { name: 'spawn' as const, ok: false, start_ms: 100, ms: 300 },
  ]

  it('shows every step on one axis, and never calls failed what was not tried', () => {
    const rows = rowsOf(report({ steps }), 0)
    expect(rows.map(({ state }) => state)).toEqual(['ok', 'failed', ...Array<string>(6).fill('untried')])
    expect(rows[1]?.bar).toEqual({ left: 25, width: 75 })
  })

  it('lets the running step grow with the time', () => {
    const running = report({
      running: true,
      steps: [{ name: 'resolve', ok: false, running: true, start_ms: 0, ms: 0 }],
    })
    expect(rowsOf(running, 2000)[0]).toMatchObject({ state: 'running', ms: 2000, bar: { left: 0, width: 100 } })
  })

  it('asks to sign in where the server does', () => {
    const error = { code: 'sign_in_needed', message: 'sign in' }
    expect(rowsOf(report({ steps, error }), 0)[1]?.state).toBe('sign-in')
  })

  it('marks a section that is not announced', () => {
    const skipped = report({ steps: [{ name: 'prompts', ok: true, skipped: true, start_ms: 0, ms: 0 }] })
    expect(rowsOf(skipped, 0).at(-1)?.state).toBe('skipped')
  })

  it('reaches a remote server instead of starting a program', () => {
    expect(rowsOf(report({ transport: 'sse' }), 0)[1]?.name).toBe('connect')
  })
})

it('adds up the time', () => {
  expect(elapsedOf({ steps: [{ name: 'spawn', ok: true, start_ms: 8, ms: 214 }] })).toBe(222)
})

it('marks the line that says what went wrong', () => {
  expect(proofLines('starting\nError: X is not set\n').map(({ loud }) => loud)).toEqual([false, true])
})

it('shortens the own folder', () => {
  expect(shortPath('/home/lea/.nvm/bin/npx')).toBe('~/.nvm/bin/npx')
  expect(shortPath('/usr/bin/npx')).toBe('/usr/bin/npx')
})

it('reads the counts of a step', () => {
  expect(countsOf('12')).toEqual([12, undefined])
  expect(countsOf('7 + 2')).toEqual([7, 2])
  expect(countsOf('/usr/bin/npx')).toEqual([undefined, undefined])
})
