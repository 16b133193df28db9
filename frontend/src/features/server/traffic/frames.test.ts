import { expect, it } from 'vitest'
import type { Frame } from '@/lib/api'
import { summaries, tickWidth } from './frames'

let seq = 0
const frame = (direction: Frame['direction'], text: string): Frame => ({
  seq: ++seq,
  at: '',
  direction,
  size: text.length,
  text,
})

it('names questions, answers, notifications and errors', () => {
  const frames = [
    frame('sent', '{"jsonrpc":"2.0","id":1,"method":"tools/call"}'),
    frame('received', '{"jsonrpc":"2.0","method":"notifications/progress"}'),
    frame('received', '{"jsonrpc":"2.0","id":1,"method":"roots/list"}'),
    frame('received', '{"jsonrpc":"2.0","id":1,"result":{}}'),
    frame('sent', '{"jsonrpc":"2.0","id":1,"error":{"code":-1}}'),
    frame('received', '{"jsonrpc":"2.0","id":"1","result":{}}'),
    frame('received', '{"jsonrpc":"2.0","method":"tools/list","params":{"x":"'),
    frame('received', 'not json'),
  ]
  expect(summaries(frames).map(({ kind, method }) => `${kind} ${method}`)).toEqual([
    'request tools/call',
    'notification notifications/progress',
    'request roots/list',
    'result tools/call',
    'error roots/list',
    'result ',
    'other tools/list',
    'other ',
  ])
})

it.each([
  [0, 4],
  [64, 4],
  [1024, 10],
  [10_000_000, 16],
])('draws %i bytes %i px wide', (bytes, width) => {
  expect(tickWidth(bytes)).toBe(width)
})
