import { describe, expect, it } from 'vitest'
import { parseJson, type Json } from '@/lib/json'
import type { Call, CallKind } from '@/lib/api'
import { blocksOf, dataUrl, endsOf, LARGE, outcomeOf, plainText, progressOf, treeValueOf } from './result'

function call(change: Partial<Call>): Call {
  return {
    id: 'c',
    status: 'done',
    server: 's',
    kind: 'tool',
    name: 't',
    notices: [],
    sent: true,
    is_error: false,
    started_at: '2025-11-26T16:04:00Z',
    duration_ms: 12,
    ...change,
  }
}

function result(raw: string, kind: 'complete' | 'input_required' | 'task' = 'complete'): Partial<Call> {
  return { result: { kind, raw: parseJson(raw), meta: { cache_hit: false, attempts: 1 } } }
}

const error = (code: string): Partial<Call> => ({ error: { code, message: code } })

describe('outcomeOf', () => {
  it.each<[string, Partial<Call>, string]>([
    ['a running call', { status: 'running' }, 'running'],
    ['a call that waits for a person', { status: 'waiting' }, 'waiting'],
    ['text', result('{"content":[{"type":"text","text":"hi"}]}'), 'succeeded'],
    ['no content', result('{"content":[]}'), 'empty'],
    ['an empty text', result('{"content":[{"type":"text","text":""}]}'), 'empty'],
    ['only structured content', result('{"content":[],"structuredContent":{}}'), 'succeeded'],
    ['an error of the tool', { ...result('{"content":[],"isError":true}'), is_error: true }, 'tool_error'],
    ['a denied call', error('denied'), 'refused_by_rule'],
    ['a refused call', error('approval_denied'), 'refused_by_person'],
    ['nobody answered', error('approval_expired'), 'expired'],
    ['nobody knows', error('outcome_unknown'), 'unknown'],
    ['a call cancelled before it was sent', { ...error('canceled'), sent: false }, 'cancelled'],
    ['a call cancelled after it was sent', error('canceled'), 'cancelled_sent'],
    ['a call that timed out before it was sent', { ...error('call_timeout'), sent: false }, 'failed'],
    ['a call that timed out after it was sent', error('call_timeout'), 'unknown'],
    ['a server that stopped', error('server_exited'), 'failed'],
    ['a task', result('{}', 'task'), 'unsupported'],
  ])('%s', (_, change, want) => {
    expect(outcomeOf(call(change))).toBe(want)
  })

  it('judges a resource and a prompt by their own members', () => {
    expect(outcomeOf(call({ kind: 'resource', ...result('{"contents":[{"uri":"a:b","text":""}]}') }))).toBe('succeeded')
    expect(outcomeOf(call({ kind: 'resource', ...result('{"contents":[]}') }))).toBe('empty')
    expect(outcomeOf(call({ kind: 'prompt', ...result('{"messages":[]}') }))).toBe('empty')
  })
})

function kinds(kind: CallKind, raw: string): string[] {
  return blocksOf(kind, parseJson(raw)).map(({ content, role, uri }) =>
    [role, content.kind, uri].filter(Boolean).join(' '),
  )
}

describe('blocksOf', () => {
  it.each<[string, CallKind, string, string[]]>([
    ['a text', 'tool', '{"content":[{"type":"text","text":"x"}]}', ['text']],
    ['an image', 'tool', '{"content":[{"type":"image","mimeType":"image/PNG","data":"AAAA"}]}', ['image']],
    ['a drawing', 'tool', '{"content":[{"type":"image","mimeType":"image/svg+xml","data":"AAAA"}]}', ['image']],
    [
      'an image that is a document',
      'tool',
      '{"content":[{"type":"image","mimeType":"text/html","data":"AAAA"}]}',
      ['file'],
    ],
    ['a sound', 'tool', '{"content":[{"type":"audio","mimeType":"audio/wav","data":"AAAA"}]}', ['audio']],
    [
      'embedded text and blob',
      'tool',
      '{"content":[{"type":"resource","resource":{"uri":"a:1","text":"x"}},{"type":"resource","resource":{"uri":"a:2","mimeType":"image/png","blob":"AAAA"}}]}',
      ['text a:1', 'image a:2'],
    ],
    ['a link', 'tool', '{"content":[{"type":"resource_link","uri":"file:///x","name":"x"}]}', ['link']],
    ['what nobody knows yet', 'tool', '{"content":[{"type":"hologram"},3]}', ['other', 'other']],
    [
      'a resource',
      'resource',
      '{"contents":[{"uri":"a:1","text":""},{"uri":"a:2","blob":"AA=="}]}',
      ['text a:1', 'file a:2'],
    ],
    [
      'messages',
      'prompt',
      '{"messages":[{"role":"user","content":{"type":"text","text":"x"}},{"role":"assistant","content":[{"type":"text","text":"y"}]}]}',
      ['user text', 'assistant text'],
    ],
    ['broken messages', 'prompt', '{"messages":[null,{"role":"user"}]}', ['other', 'user other']],
    ['not an object', 'tool', '[]', []],
  ])('%s', (_, kind, raw, want) => {
    expect(kinds(kind, raw)).toEqual(want)
  })

  it('counts the bytes behind base64', () => {
    const [block] = blocksOf(
      'tool',
      parseJson('{"content":[{"type":"image","mimeType":"image/png","data":"QUJDRA=="}]}'),
    )
    expect(block?.content).toMatchObject({ bytes: 4 })
  })
})

it('never lets data end the address it stands in', () => {
  expect(dataUrl({ mime: 'image/png', data: 'AA"><script>==\n' })).toBe('data:image/png;base64,AAscript==')
})

describe('treeValueOf', () => {
  it.each<[string, string, Json]>([
    ['structured content', '{"content":[{"type":"text","text":"[1]"}],"structuredContent":{"a":1}}', { a: 1 }],
    ['a text that is JSON', '{"content":[{"type":"text","text":"[1]"}]}', [1]],
    ['a plain text', '{"content":[{"type":"text","text":"12"}]}', { content: [{ type: 'text', text: '12' }] }],
  ])('%s', (_, raw, want) => {
    expect(treeValueOf('tool', parseJson(raw))).toEqual(want)
  })
})

it('copies texts, else the structured content', () => {
  expect(plainText('tool', parseJson('{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}'))).toBe(
    'a\n\nb',
  )
  expect(plainText('tool', parseJson('{"structuredContent":{"a":1}}'))).toBe('{\n  "a": 1\n}')
})

describe('endsOf', () => {
  it('leaves a short text alone', () => {
    expect(endsOf('x')).toEqual({ head: 'x', omitted: 0, tail: '' })
  })

  it('keeps both ends of a long one, and no half character', () => {
    const text = `start${'😀'.repeat(LARGE)}end`
    const { head, omitted, tail } = endsOf(text)
    expect(head.length + omitted + tail.length).toBe(text.length)
    expect(head.startsWith('start') && tail.endsWith('end')).toBe(true)
    expect(encodeURIComponent(`${head}|${tail}`)).toContain('%7C') // throws on half a character
    expect(head.length + tail.length).toBeLessThanOrEqual(LARGE + 2)
  })
})

describe('progressOf', () => {
  const told = (params: Json) =>
    progressOf(call({ status: 'running', notices: [{ kind: 'progress', params: params as Record<string, unknown> }] }))

  it.each<[string, Json, unknown]>([
    ['a part', { progress: 2, total: 8, message: 'Reading' }, { part: 0.25, message: 'Reading' }],
    ['no total', { progress: 2 }, { part: undefined, message: '' }],
    ['too much', { progress: 9, total: 8 }, { part: 1, message: '' }],
    ['nonsense', 'x', undefined],
  ])('%s', (_, params, want) => {
    expect(told(params)).toEqual(want)
  })

  it('is unknown before the server told any', () => {
    expect(progressOf(call({}))).toBeUndefined()
  })
})
