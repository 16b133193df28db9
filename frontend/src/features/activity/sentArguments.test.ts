import { expect, it } from 'vitest'
import type { Call, Entry, InboxRequest } from '@/lib/api'
import { finished } from '@/testing/notion'
import { sentArguments } from './sentArguments'

const line: Entry = {
  seq: 1,
  at: '2026-11-26T16:04:00Z',
  kind: 'outcome',
  caller: { kind: 'window', name: 'window', user: 'local' },
  server: 'notion',
  name: 'search',
}
const call = (change: Partial<Call> = {}) => finished({ arguments: { query: 'asked' }, ...change })
const request = (change: Partial<InboxRequest> = {}) =>
  ({ params: { name: 'search', arguments: { query: 'requested' } }, ...change }) as InboxRequest
const changed = { name: 'search', arguments: { query: 'changed' } }
const result = { kind: 'complete', raw: {}, meta: { cache_hit: false, attempts: 1, edited_params: changed } } as const

it.each<[string, Entry, Call | undefined, InboxRequest | undefined, string | undefined, boolean]>([
  ['nobody has them', line, undefined, undefined, undefined, false],
  ['the call has them', line, call(), request(), 'asked', false],
  ['only the request has them', line, undefined, request(), 'requested', false],
  ['the journal has them', { ...line, arguments: { query: 'journal' } }, call(), undefined, 'journal', false],
  ['a person changed them, says the call', line, call({ result }), request(), 'changed', true],
  [
    'a person changed them, says the request',
    line,
    call(),
    request({ answer: { approve: true, params: changed, by: line.caller, at: line.at } }),
    'changed',
    true,
  ],
])('%s', (_, entry, kept, asked, query, edited) => {
  const sent = sentArguments(entry, kept, asked)
  expect([sent.value?.query, sent.edited]).toEqual([query, edited])
})
