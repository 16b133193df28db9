import { expect, it } from 'vitest'
import type { InboxRequest } from '@/lib/api'
import { argumentsOf, changedKeys, isEditable, withArguments } from './params'

const request = (change: Partial<InboxRequest>): InboxRequest => ({
  id: 'r',
  kind: 'tool',
  status: 'waiting',
  server: 's',
  caller: { kind: 'cli', name: 'cli', user: 'local' },
  tool: 't',
  call_kind: 'tool',
  decision: { verdict: 'ask', because: 'server_default', risk: 'medium', steps: [] },
  created_at: '',
  ...change,
})

it('reads the arguments out of the params, whatever those hold', () => {
  expect(argumentsOf(request({ params: { name: 't', arguments: { a: 1 } } }))).toEqual({ a: 1 })
  expect(argumentsOf(request({ params: { uri: 'a:b' } }))).toEqual({})
  expect(argumentsOf(request({ params: { arguments: [1] } }))).toEqual({})
  expect(argumentsOf(request({}))).toEqual({})
})

it('changes the arguments and nothing else', () => {
  const before = request({ params: { name: 't', arguments: { a: 1 }, _meta: { progressToken: 7 } } })
  expect(withArguments(before, { a: 2 })).toEqual({ name: 't', arguments: { a: 2 }, _meta: { progressToken: 7 } })
})

it('names what an edit touched', () => {
  expect(changedKeys({ a: 1, b: 2, c: { d: 1 } }, { a: 1, b: 3, c: { d: 1 }, e: null })).toEqual(['b', 'e'])
  expect(changedKeys({ a: 1 }, {})).toEqual(['a'])
})

it('lets a person edit arguments, not addresses', () => {
  expect(isEditable(request({}))).toBe(true)
  expect(isEditable(request({ call_kind: 'prompt' }))).toBe(true)
  expect(isEditable(request({ call_kind: 'resource' }))).toBe(false)
  expect(isEditable(request({ kind: 'sampling' }))).toBe(false)
})
