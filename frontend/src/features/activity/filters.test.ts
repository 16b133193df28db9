import { describe, expect, it } from 'vitest'
import { activeFilters, filterValues, readFilters, toggled, without, writeFilters, type Search } from './filters'

describe('the address', () => {
  it.each<[string, Search]>([
    ['nothing', {}],
    [
      'everything',
      {
        q: 'create',
        client: 'Cursor,VS%20Code',
        server: 'github',
        verdict: 'ask',
        outcome: 'failed',
        risk: 'destroys',
        day: '2025-11-26',
        hours: '9-16',
      },
    ],
    ['a name with a comma', { client: 'a%2Cb' }],
  ])('holds %s', (_, search) => {
    expect(writeFilters(readFilters(search))).toEqual(search)
  })

  it('leaves out what makes no sense', () => {
    const filters = readFilters({
      verdict: 'maybe',
      risk: 7,
      hours: '16-9',
      day: 'today',
      client: ',',
      q: {},
      server: '%',
    })
    expect(writeFilters(filters)).toEqual({ server: '%25' })
  })

  it('reads a name that looks like a number', () => {
    expect(readFilters({ client: 7 }).client).toEqual(['7'])
  })
})

it('lists what is on, and drops one at a time', () => {
  const filters = readFilters({ q: 'x', client: 'Cursor', hours: '16-16' })
  expect(activeFilters(filters)).toEqual(['text', 'client', 'hours'])
  expect(activeFilters(without(filters, 'client'))).toEqual(['text', 'hours'])
  expect(activeFilters(without(without(filters, 'text'), 'hours'))).toEqual(['client'])
})

it('adds a value and takes it away', () => {
  const on = toggled(readFilters({ risk: 'reads' }), 'risk', 'destroys')
  expect(on.risk).toEqual(['reads', 'destroys'])
  expect(toggled(on, 'risk', 'reads').risk).toEqual(['destroys'])
})

it('offers the known values, or the names that occur', () => {
  const entry = (name: string, server: string) => ({
    entry: {
      seq: 1,
      at: '',
      kind: 'outcome' as const,
      name: 't',
      server,
      caller: { kind: 'client' as const, name, user: 'local' },
    },
  })
  const calls = [entry('VS Code', 'github'), entry('Cursor', 'github')]
  expect(filterValues('risk', readFilters({}), calls)).toEqual(['reads', 'writes', 'destroys'])
  expect(filterValues('client', readFilters({ client: 'Zed' }), calls)).toEqual(['Cursor', 'VS Code', 'Zed'])
  expect(filterValues('server', readFilters({}), calls)).toEqual(['github'])
})
