import { describe, expect, it } from 'vitest'
import { actionOf, globMatches, isPerTool, quote, ruleMatches, shown, wordsOf } from './rules'

describe('globMatches', () => {
  it.each([
    ['delete_*', 'delete_branch', true],
    ['delete_*', 'delete_', true],
    ['delete_*', 'undelete_x', false],
    ['*_issue*', 'create_issue_comment', true],
    ['a?c', 'abc', true],
    ['a?c', 'ac', false],
    ['*', '', true],
    ['', '', true],
    ['', 'x', false],
    ['\\*', '*', true],
    ['\\*', 'x', false],
    ['a\\', 'a\\', true],
    ['**a**b**', 'xxaxxbxx', true],
    ['*a*a*a*a*a*a*a*b', 'a'.repeat(200), false],
    ['a.c', 'abc', false],
  ])('%s on %s: %s', (pattern, name, want) => {
    expect(globMatches(pattern, name)).toBe(want)
  })

  it.each(['plain', 'a*b?c', 'x[1]{2}\\', '[*'])('matches the quoted %s and nothing near it', (name) => {
    expect(globMatches(quote(name), name)).toBe(true)
    expect(globMatches(quote(name), `${name}x`)).toBe(false)
    expect(shown(quote(name))).toBe(name)
  })
})

it.each([
  ['tool', 'search', 'search'],
  ['resource', 'file:///a*b', 'resource:file:///a\\*b'],
  ['prompt', 'sum', 'prompt:sum'],
  ['tool', 'prompt:x', '\\prompt:x'],
] as const)('names the %s %s as %s', (kind, name, want) => {
  expect(actionOf(kind, name)).toBe(want)
  const asked = { server: 's', kind, name, client: 'c' }
  expect(ruleMatches({ actions: [want] }, asked)).toBe(true)
  expect(ruleMatches({ actions: [want] }, { ...asked, name: `${name}x` })).toBe(false)
})

const asked = { server: 'github', kind: 'tool', name: 'delete_branch', client: 'Cursor' } as const

it.each([
  [{}, true],
  [{ server: 'github' }, true],
  [{ server: 'gitlab' }, false],
  [{ server: 'git*', actions: ['delete_*', 'drop_*'] }, true],
  [{ actions: ['resource:*'] }, false],
  [{ client: 'Curs?r' }, true],
  [{ client: 'VS Code' }, false],
])('%j speaks of the call: %s', (rule, want) => {
  expect(ruleMatches(rule, asked)).toBe(want)
})

it.each([
  [{ server: 'github', actions: ['delete_branch'] }, true],
  [{ server: 'github', actions: ['prompt:x'] }, true],
  [{ server: 'github', actions: ['delete_*'] }, false],
  [{ server: 'git*', actions: ['delete_branch'] }, false],
  [{ server: 'github', actions: ['a', 'b'] }, false],
  [{ actions: ['a'] }, false],
  [{ server: 'github' }, false],
])('%j is set tool by tool: %s', (rule, want) => {
  expect(isPerTool(rule)).toBe(want)
})

it('reads a rule back in words', () => {
  expect(wordsOf({ server: '*', actions: ['a\\*b', 'resource:x*'], client: 'Cursor' })).toEqual({
    server: '',
    names: ['a*b', 'resource:x*'],
    client: 'Cursor',
  })
})
