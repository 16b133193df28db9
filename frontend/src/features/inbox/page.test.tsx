import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import type { InboxRequest } from '@/lib/api'
import { refusal } from '@/testing/core'
import { openRequest } from '@/testing/openRequest'

const page: InboxRequest = {
  id: 'p1',
  kind: 'elicitation_url',
  status: 'waiting',
  server: 'notion',
  caller: { kind: 'client', name: 'Cursor', user: 'local', session: 's' },
  call_id: 'c1',
  call_kind: 'tool',
  tool: 'create_page',
  params: { mode: 'url', message: 'Confirm <b>it</b>.', url: 'https://acme.fr@\u0430cme.fr/v?f=1' },
  address: {
    url: 'https://xn--cme-5cd.fr/v?f=1',
    before: 'https://',
    user: 'acme.fr@',
    host: 'xn--cme-5cd.fr',
    after: '/v?f=1',
    shown: '\u0430cme.fr',
    signs: [
      { sign: 'look_alike_letter', args: { letter: '\u0430', code: 'U+0430', latin: 'a', script: 'cyrillic' } },
      { sign: 'user_before_host', args: { user: 'acme.fr' } },
      { sign: 'other_site', args: { site: 'notion.example' } },
    ],
  },
  decision: { verdict: 'ask', because: '', risk: 'medium', steps: [] },
  created_at: '2026-11-26T16:00:00Z',
}

const asks = 'notion wants you to open a page'
const again = 'Are you done at the page of notion?'

let tab: {
  opener: unknown
  closed: boolean
  document: Document
  location: { replace: ReturnType<typeof vi.fn> }
  close: ReturnType<typeof vi.fn>
}
const open = vi.fn()

beforeEach(() => {
  const document = window.document.implementation.createHTMLDocument()
  tab = { opener: window, closed: false, document, location: { replace: vi.fn() }, close: vi.fn() }
  open.mockReset().mockReturnValue(tab)
  vi.stubGlobal('open', open)
})

const show = (change: Partial<InboxRequest> = {}, answers: Record<string, unknown> = {}) =>
  openRequest({ ...page, ...change }, change.address?.opened ? again : asks, answers)
const button = (name: RegExp) => screen.getByRole('button', { name })
const armed = (name: RegExp) => waitFor(() => expect(button(name).getAttribute('aria-disabled')).toBeNull())

it('shows where a page really leads, and what may deceive', async () => {
  await show()
  expect(screen.getByText('“Confirm <b>it</b>.”')).toBeTruthy()
  expect(screen.getAllByText('xn--cme-5cd.fr')).toHaveLength(2)
  expect(screen.getByText(/U\+0430/, { selector: 'mark' })).toBeTruthy()
  expect(screen.getByText('3 signs to look at closely')).toBeTruthy()
  expect(screen.getByText(/is a Cyrillic letter that looks like the Latin “a”/)).toBeTruthy()
  expect(screen.getByText('acme.fr@', { selector: 'del' })).toBeTruthy()
  expect(screen.getByText('for Cursor')).toBeTruthy()
  expect(open).not.toHaveBeenCalled()
})

it('opens the page once the answer counts, without the user name', async () => {
  const { person, sent } = await show()
  await armed(/^Open anyway/)
  await person.click(button(/^Open anyway/))
  await waitFor(() => expect(tab.location.replace).toHaveBeenCalledWith('https://xn--cme-5cd.fr/v?f=1'))
  expect(sent()).toEqual([{ approve: true }])
  expect(tab.opener).toBeNull()
})

it('opens nothing when the answer does not count', async () => {
  const { person } = await show({}, { 'POST /api/inbox/p1/answer': refusal('storage_failed', 500) })
  await armed(/^Open anyway/)
  await person.click(button(/^Open anyway/))
  await waitFor(() => expect(tab.close).toHaveBeenCalled())
  expect(tab.location.replace).not.toHaveBeenCalled()
})

it('is denied with Escape, and cancelled with its call', async () => {
  const { person, sent } = await show()
  await person.keyboard('{Escape}')
  await waitFor(() => expect(sent()).toEqual([{ approve: false }]))
  expect(open).not.toHaveBeenCalled()
})

it('says the end of a page that was opened before, and can open it again', async () => {
  const address = { ...page.address, opened: true, signs: [] } as NonNullable<InboxRequest['address']>
  const { person, sent } = await show({ address })
  await person.click(button(/^Open the page again/))
  expect(open).toHaveBeenCalledWith('https://xn--cme-5cd.fr/v?f=1', '_blank', 'noopener,noreferrer')
  expect(sent()).toEqual([])
  await armed(/^Done, go on/)
  await person.keyboard('{Control>}{Enter}{/Control}')
  await waitFor(() => expect(sent()).toEqual([{ approve: true }]))
  expect(open).toHaveBeenCalledTimes(1)
})

it.each([
  [undefined, /^notion has not said that it is done/],
  ['2026-11-26T16:05:00Z', /^notion said that it is done/],
])('says whether the server is content: %s', async (completed, words) => {
  const by = { kind: 'window' as const, name: 'window', user: 'local' }
  const { person } = await show({
    status: 'approved',
    answer: { approve: true, by, at: '2026-11-26T16:04:00Z' },
    ...(completed === undefined ? {} : { completed_at: completed }),
  })
  expect(await screen.findByText(words)).toBeTruthy()
  expect(screen.getByText('page open')).toBeTruthy()
  if (completed !== undefined) return
  await person.click(button(/^Open the page again/))
  expect(open).toHaveBeenCalledTimes(1)
})
