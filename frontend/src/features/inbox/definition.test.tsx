import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { DefinitionChange, InboxRequest } from '@/lib/api'
import { openRequest } from '@/testing/openRequest'

const changed: InboxRequest = {
  id: 'd1',
  kind: 'definition',
  status: 'waiting',
  server: 'notion',
  caller: { kind: 'server', name: 'notion', user: 'local' },
  call_kind: 'tool',
  tool: 'export',
  params: { before: {}, after: {} },
  decision: { verdict: 'deny', because: 'held_definition', risk: 'medium', steps: [] },
  created_at: '2026-11-26T16:00:00Z',
}
const added: InboxRequest = { ...changed, id: 'd2', tool: 'purge', params: { after: {} } }

const change: DefinitionChange = {
  new: false,
  before_version: '3.2.0',
  after_version: '3.3.1',
  ended: [{ kind: 'client', name: 'Cursor', user: 'local' }],
  findings: [{ code: 'hidden_characters', field: 'description', start: 0, end: 1, text: '[U+200B]', count: 1 }],
  changes: [
    {
      field: 'description',
      removed: 1,
      added: 1,
      lines: [
        { kind: 'removed', pieces: [{ text: 'Exports <b>one</b> file' }] },
        {
          kind: 'added',
          pieces: [{ text: 'Exports ' }, { text: 'U+200B', hidden: true }, { text: 'all', marked: true }],
        },
        { kind: 'skipped', pieces: [], count: 7 },
      ],
    },
  ],
}

let sent: () => unknown[]

async function open() {
  let requests = [changed, added]
  const title = 'export is no longer the tool that you accepted'
  const opened = await openRequest(changed, title, {
    'GET /api/inbox': () => ({ requests, waiting: requests.filter(({ status }) => status === 'waiting').length }),
    'GET /api/inbox/d1/definition': change,
    'GET /api/inbox/d2/definition': { ...change, new: true, findings: [], ended: [] },
    'POST /api/inbox/d1/answer': ({ approve }: { approve: boolean }) => {
      const by = { kind: 'window' as const, name: 'window', user: 'local' }
      const ended = { ...changed, status: approve ? ('approved' as const) : ('denied' as const) }
      requests = [{ ...ended, answer: { approve, by, at: new Date().toISOString() } }, added]
      return ended
    },
  })
  sent = opened.sent
  return opened.person
}

const accept = () => screen.findByRole('button', { name: 'Accept this change' })

it('says what changed with what is not seen, and what is no longer in force', async () => {
  const person = await open()
  const part = within(await screen.findByRole('region', { name: 'Description' }))
  expect(screen.getByText(/version 3.2.0, then 3.3.1/)).toBeTruthy()
  expect(screen.getByText(/The “Always” of Cursor has ended\./)).toBeTruthy()
  expect(screen.getByText('One sign to look at closely')).toBeTruthy()
  expect(part.getByText('Exports <b>one</b> file')).toBeTruthy()
  expect(part.getByText('1 line removed, 1 line added')).toBeTruthy()
  expect(part.getByText('7 lines that are the same')).toBeTruthy()
  expect(part.getByText('U+200B')).toBeTruthy()
  await person.click(screen.getByRole('switch', { name: 'Invisible characters' }))
  expect(part.queryByText('U+200B')).toBeNull()
})

it('is kept blocked with Escape, and the next one opens', async () => {
  const person = await open()
  await accept()
  await person.keyboard('{Escape}')
  await screen.findByRole('heading', { level: 2, name: 'purge is a tool that you have not accepted yet' })
  expect(sent()).toEqual([{ approve: false }])
  expect(screen.getByText('notion · Kept blocked')).toBeTruthy()
})

it('accepts nothing in the first moment, nor with the key of approvals', async () => {
  const person = await open()
  const button = await accept()
  expect(button.getAttribute('aria-disabled')).toBe('true')
  await person.click(button)
  await waitFor(() => expect(button.getAttribute('aria-disabled')).toBeNull())
  await person.keyboard('{Control>}{Enter}{/Control}')
  expect(sent()).toEqual([])
  await person.click(button)
  await waitFor(() => expect(sent()).toEqual([{ approve: true }]))
})

it('leads to the next change', async () => {
  const person = await open()
  expect(await screen.findByText('1 of 2')).toBeTruthy()
  await person.click(screen.getByRole('link', { name: 'Next' }))
  await screen.findByRole('heading', { level: 2, name: 'purge is a tool that you have not accepted yet' })
})
