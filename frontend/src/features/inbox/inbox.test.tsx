import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { InboxRequest } from '@/lib/api'
import { aServer, pretendCore, refusal, type Heard } from '@/testing/core'
import { openApp } from '@/testing/openApp'

const request = (id: string, change: Partial<InboxRequest> = {}): InboxRequest => ({
  id,
  kind: 'tool',
  status: 'waiting',
  server: 'notion',
  caller: { kind: 'client', name: 'Cursor', user: 'local', session: 's' },
  tool: 'create_page',
  call_kind: 'tool',
  params: { name: 'create_page', arguments: { title: 'Hello' } },
  arguments_digest: id,
  effect: 'writes',
  decision: { verdict: 'ask', because: 'server_default', risk: 'medium', steps: [] },
  created_at: '2026-11-26T16:00:00Z',
  ...change,
})
const destroys = request('r1', { tool: 'delete_page', effect: 'destroys', created_at: '2026-11-26T16:03:00Z' })
const writes = request('r2')

let requests: InboxRequest[]
let heard: Heard[]
beforeEach(() => {
  requests = [writes, destroys]
})

const answer = (id: string) => (body: { approve: boolean }) => {
  const by = { kind: 'window' as const, name: 'window', user: 'local' }
  requests = requests.map((one) =>
    one.id === id
      ? {
          ...one,
          status: body.approve ? 'approved' : 'denied',
          answer: { approve: body.approve, scope: 'once', by, at: '2026-11-26T16:04:00Z' },
        }
      : one,
  )
  return requests.find((one) => one.id === id)
}

async function open(answers: Record<string, unknown> = {}) {
  heard = pretendCore({
    'GET /api/servers': { servers: [aServer()] },
    'GET /api/inbox': () => ({ requests, waiting: requests.length }),
    'GET /api/approvals': { approvals: [] },
    'GET /api/activity': { entries: [], totals: { calls: 0, refused: 0, failed: 0 }, before: 0 },
    'POST /api/inbox/r1/answer': answer('r1'),
    'POST /api/inbox/r2/answer': answer('r2'),
    'GET /api/inbox/r1': () => requests.find(({ id }) => id === 'r1'),
    ...answers,
  })
  const user = openApp('/inbox')
  await screen.findByRole('heading', { name: /delete_page/ })
  return user
}

const answers = () => heard.filter(({ call }) => call.startsWith('POST /api/inbox'))
const armed = () =>
  waitFor(() => expect(screen.getByRole('button', { name: /^Once/ }).getAttribute('aria-disabled')).toBeNull())

describe('the inbox', () => {
  it('opens the riskiest request, with the focus on its title', async () => {
    await open()
    expect(document.activeElement).toBe(screen.getByRole('heading', { level: 2, name: /delete_page/ }))
    expect(screen.getByText('This tool destroys.')).toBeDefined()
  })

  it('approves nothing in the first moment, then once with Ctrl Enter, and opens the next', async () => {
    const user = await open()
    await user.keyboard('{Control>}{Enter}{/Control}')
    expect(answers()).toEqual([])
    await armed()
    await user.keyboard('{Control>}{Enter}{/Control}')
    await screen.findByRole('heading', { level: 2, name: /create_page/ })
    expect(answers()).toEqual([{ call: 'POST /api/inbox/r1/answer', body: { approve: true, scope: 'once' } }])
    expect(document.activeElement).toBe(screen.getByRole('heading', { level: 2, name: /create_page/ }))
  })

  it('denies with Escape at once', async () => {
    const user = await open()
    await user.keyboard('{Escape}')
    await waitFor(() => expect(answers()).toEqual([{ call: 'POST /api/inbox/r1/answer', body: { approve: false } }]))
  })

  it('moves with J and K', async () => {
    const user = await open()
    await user.keyboard('j')
    expect(document.activeElement).toBe(await screen.findByRole('heading', { level: 2, name: /create_page/ }))
    await user.keyboard('k')
    expect(document.activeElement).toBe(await screen.findByRole('heading', { level: 2, name: /delete_page/ }))
  })

  it('sends edited arguments, and only an object', async () => {
    const user = await open()
    await user.click(screen.getByRole('button', { name: 'Edit' }))
    const editor = screen.getByRole('textbox', { name: 'Arguments as JSON' })
    await user.clear(editor)
    await user.type(editor, '{{"title": 9007199254740993')
    expect(editor.getAttribute('aria-invalid')).toBe('true')
    await user.type(editor, '}')
    expect(await screen.findByText(/You changed 1 argument/)).toBeDefined()
    await armed()
    await user.click(screen.getByRole('button', { name: /^Once/ }))
    await waitFor(() => expect(answers()).toHaveLength(1))
    expect(answers()[0]?.body).toMatchObject({ approve: true, params: { name: 'create_page', arguments: {} } })
  })

  it('asks twice before it always allows what destroys', async () => {
    const user = await open()
    await armed()
    await user.keyboard('{Alt>}t{/Alt}')
    const panel = await screen.findByRole('dialog', { name: 'Always allow' })
    const go = within(panel).getByRole('button', { name: 'Always allow' })
    expect(go.getAttribute('aria-disabled')).toBe('true')
    await user.click(within(panel).getByRole('checkbox'))
    await user.click(go)
    await waitFor(() => expect(answers()[0]?.body).toEqual({ approve: true, scope: 'always' }))
  })

  it('says that an answer was not saved, and sends it again', async () => {
    let fails = true
    const user = await open({
      'POST /api/inbox/r1/answer': (body: { approve: boolean }) =>
        fails ? refusal('disk_full', 500) : answer('r1')(body),
    })
    await user.keyboard('{Escape}')
    expect(await screen.findByText('Answer not saved.')).toBeDefined()
    fails = false
    await user.click(screen.getByRole('button', { name: 'Retry' }))
    await screen.findByRole('heading', { level: 2, name: /create_page/ })
  })

  it('takes the buttons away when someone else was faster', async () => {
    const by = { kind: 'cli' as const, name: 'cli', user: 'local' }
    const user = await open({
      'POST /api/inbox/r1/answer': () => {
        requests = requests.map((one) =>
          one.id === 'r1'
            ? { ...one, status: 'denied', answer: { approve: false, by, at: '2026-11-26T16:04:00Z' } }
            : one,
        )
        return refusal('already_answered', 409, { by: 'cli' })
      },
    })
    await user.keyboard('{Escape}')
    expect(await screen.findByText(/by you, at the terminal/)).toBeDefined()
    expect(screen.queryByRole('button', { name: /^Deny/ })).toBeNull()
  })

  it('opens what waits now, not what waited when it was left', async () => {
    let tell: (change: { topic: string }) => void = () => undefined
    vi.stubGlobal('go', { main: { App: {} } })
    vi.stubGlobal('runtime', { EventsOn: (_: string, hear: typeof tell) => ((tell = hear), () => undefined) })
    await open()
    window.location.hash = '/settings'
    await screen.findByRole('heading', { level: 1, name: 'Settings' })
    answer('r1')({ approve: true })
    tell({ topic: 'inbox' })
    window.location.hash = '/inbox'
    const title = await screen.findByRole('heading', { level: 2, name: /create_page/ })
    expect(document.activeElement).toBe(title)
    expect(screen.queryByText('Nothing waits for you.')).toBeNull()
  })

  it('is quiet when nothing waits', async () => {
    requests = []
    pretendCore({ 'GET /api/inbox': { requests: [], waiting: 0 }, 'GET /api/approvals': { approvals: [] } })
    openApp('/inbox')
    expect(await screen.findByText('Nothing waits for you.')).toBeDefined()
  })
})
