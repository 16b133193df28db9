import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { Entry } from '@/lib/api'
import { aServer, pretendCore } from '@/testing/core'
import { capabilities, finished, search } from '@/testing/notion'
import { openApp } from '@/testing/openApp'

let seq = 0
const entry = (name: string, change: Partial<Entry> = {}): Entry => {
  seq += 1
  return {
    seq,
    at: new Date(new Date().setHours(0, seq, 0, 0)).toISOString(),
    kind: 'outcome',
    call_id: `c${seq}`,
    caller: { kind: 'client', name: 'Cursor', user: 'local' },
    server: 'notion',
    call_kind: 'tool',
    name,
    verdict: 'allow',
    because: 'rule',
    outcome: 'ok',
    duration_ms: 12,
    bytes: 40,
    hash: 'aaaabbbbccccdddd',
    arguments_digest: `digest-${seq}`,
    ...change,
  }
}

const entries = [
  entry('search'),
  entry('drop', { outcome: 'refused', code: 'denied', verdict: 'deny', because: 'deny_rule' }),
  entry('slow', { outcome: 'error', code: 'call_timeout', caller: { kind: 'cli', name: 'cli', user: 'local' } }),
]

const open = (address: string, answers: Record<string, unknown> = {}) => openHeard(address, answers).user

function openHeard(address: string, answers: Record<string, unknown>) {
  const heard = pretendCore({
    'GET /api/servers': { servers: [aServer()] },
    'GET /api/activity': { entries: entries.toReversed(), totals: { calls: 3, refused: 1, failed: 1 }, before: 0 },
    'GET /api/audit/verify': { ok: true, entries: 3 },
    'GET /api/policy': { rules: [] },
    ...answers,
  })
  return { user: openApp(address), heard }
}

it('says what happened in one sentence, and each call with why it went that way', async () => {
  open('/activity')
  expect(await screen.findByText('Today: 3 calls, 1 denied, 1 failed.')).toBeDefined()
  expect(await screen.findByText('Journal intact')).toBeDefined()
  for (const words of ['Allowed by a rule', 'Denied by a rule', 'Timed out'])
    expect(screen.getByText(words)).toBeDefined()
})

it('says which part of the journal can no longer be checked', async () => {
  const user = open('/activity', { 'GET /api/audit/verify': { ok: true, entries: 12, unchecked: 9 } })
  await user.hover(await screen.findByText('Journal intact since the new key'))
  const more = await screen.findByRole('tooltip')
  expect(more.textContent).toMatch(/^9 earlier lines were sealed with a key that is lost.* 3 lines verified/)
})

it('says where the chain breaks', async () => {
  open('/activity', { 'GET /api/audit/verify': { ok: false, entries: 18_390, broken_at: 18_391 } })
  expect(await screen.findByText('Broken at link 18,391')).toBeDefined()
})

it('keeps filters in the address and takes them from it', async () => {
  const user = open('/activity?client=cli')
  expect(await screen.findByRole('button', { name: /slow/ })).toBeDefined()
  expect(screen.queryByRole('button', { name: /search/ })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Remove the filter Client' }))
  expect(await screen.findByRole('button', { name: /search/ })).toBeDefined()
  expect(window.location.hash).toBe('#/activity')
  await user.type(screen.getByRole('textbox', { name: /Tool, server, client/ }), 'drop')
  await waitFor(() => expect(window.location.hash).toBe('#/activity?q=drop'))
})

it('says which filter hides most', async () => {
  const user = open('/activity?client=Cursor&outcome=failed')
  expect(await screen.findByText('No call matches')).toBeDefined()
  await user.click(screen.getByRole('button', { name: 'Remove “Failed”' }))
  expect(await screen.findByRole('button', { name: /search/ })).toBeDefined()
})

it('opens a call beside the list; arrows move, Escape closes', async () => {
  const user = open('/activity')
  await user.click(await screen.findByRole('button', { name: /slow/ }))
  const detail = await screen.findByRole('complementary', { name: 'Call slow' })
  expect(within(detail).getAllByText('Failed')).not.toHaveLength(0)
  await user.keyboard('{ArrowDown}')
  expect(await screen.findByRole('complementary', { name: 'Call drop' })).toBeDefined()
  const refused = within(screen.getByRole('complementary'))
  expect(refused.getByText('Not reached')).toBeDefined()
  expect(refused.getByText('Denied by a rule')).toBeDefined()
  expect(refused.getByText(/^Today at /)).toBeDefined()
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('complementary')).toBeNull())
})

it('teaches how to make a call when there was none', async () => {
  open('/activity', { 'GET /api/activity': { entries: [], totals: { calls: 0, refused: 0, failed: 0 }, before: 0 } })
  expect(await screen.findByText('No call today')).toBeDefined()
})

const caller = { kind: 'window', name: 'window', user: 'local' } as const
const journal = (...lines: Entry[]) => ({
  'GET /api/activity': { entries: lines, totals: { calls: 1, refused: 0, failed: 0 }, before: 0 },
})
const page = {
  'GET /api/tools': { tools: [search] },
  'GET /api/servers/notion': aServer({ capabilities }),
  'GET /api/servers/notion/tools': { tools: [search] },
  'GET /api/servers/notion/traffic': { frames: [], next: 0 },
  'GET /api/servers/notion/resources': { resources: [], templates: [] },
}
const recent = (change: Partial<Entry>) => entry('search', { caller, at: new Date().toISOString(), ...change })

it('plays a call again by opening its form filled in, and sends nothing by itself', async () => {
  const call = recent({ call_id: 'c7' })
  const { user, heard } = openHeard('/activity?call=c7', {
    ...page,
    ...journal(call),
    'GET /api/calls/c7': finished({ id: 'c7', arguments: { query: 'invoices', limit: 5 } }),
  })
  const detail = await screen.findByRole('complementary', { name: 'Call search' })
  expect(await within(detail).findByText(/"invoices"/)).toBeDefined()
  await user.click(within(detail).getByRole('button', { name: 'Play again' }))
  expect(await screen.findByRole('textbox', { name: 'Query' })).toHaveProperty('value', 'invoices')
  expect(screen.getByRole('textbox', { name: 'Limit' })).toHaveProperty('value', '5')
  expect(heard.map((one) => one.call)).not.toContain('POST /api/calls')
  expect(globalThis.location.hash).not.toContain('invoices')
})

it('opens a resource that was read again, also one that no list names', async () => {
  const call = recent({ call_id: 'c8', call_kind: 'resource', name: 'notion://page/7' })
  const { user, heard } = openHeard('/activity?call=c8', { ...page, ...journal(call) })
  await user.click(await screen.findByRole('button', { name: 'Play again' }))
  expect(await screen.findByRole('button', { name: /Read the resource/ })).toBeDefined()
  expect(screen.getAllByText('notion://page/7')).not.toHaveLength(0)
  expect(heard.map((one) => one.call)).not.toContain('POST /api/calls')
})

it('does not offer to play a call again whose arguments nobody has any more', async () => {
  openHeard('/activity?call=c9', { ...page, ...journal(recent({ call_id: 'c9' })) })
  expect(await screen.findByText(/The journal keeps only their digest/)).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Play again' })).toBeNull()
})

it('says of a call cancelled too late that it may have run', async () => {
  openHeard('/activity?call=c10', {
    ...page,
    ...journal(recent({ call_id: 'c10', outcome: 'unknown', code: 'canceled' })),
  })
  const detail = await screen.findByRole('complementary', { name: 'Call search' })
  expect(within(detail).getAllByText('Cancelled after sending')).not.toHaveLength(0)
  expect(within(detail).getByText(/the server may have run the call/)).toBeDefined()
})

it('says that the server of a running call waits for an answer', async () => {
  const running = entry('ask', { kind: 'intent', caller: { kind: 'window', name: 'window', user: 'local' } })
  delete running.outcome
  open('/activity', {
    'GET /api/activity': { entries: [running], totals: { calls: 1, refused: 0, failed: 0 }, before: 0 },
    [`GET /api/calls/${running.call_id ?? ''}`]: finished({ status: 'running', notices: [{ kind: 'asked' }] }),
  })
  expect(await screen.findByText('The server waits for an answer')).toBeDefined()
})
