import { screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { InboxRequest } from '@/lib/api'
import { refusal } from '@/testing/core'
import { openRequest } from '@/testing/openRequest'

const question: InboxRequest = {
  id: 'q1',
  kind: 'elicitation_form',
  status: 'waiting',
  server: 'notion',
  caller: { kind: 'client', name: 'Cursor', user: 'local', session: 's' },
  call_id: 'c1',
  call_kind: 'tool',
  tool: 'create_page',
  params: {
    message: 'Where shall I put <b>it</b>?',
    requestedSchema: {
      type: 'object',
      properties: {
        space: { type: 'string', title: 'Space', enum: ['product', 'sales'], enumNames: ['Product', 'Sales'] },
        reviewer: { type: 'string', title: 'Reviewer', format: 'email' },
        copies: { type: 'integer', title: 'Copies', default: 2 },
      },
      required: ['reviewer'],
    },
  },
  decision: { verdict: 'ask', because: '', risk: 'medium', steps: [] },
  created_at: '2026-11-26T16:00:00Z',
}

const open = (change: Partial<InboxRequest> = {}, answers: Record<string, unknown> = {}) =>
  openRequest({ ...question, ...change }, 'notion asks you something', answers)
const button = (name: RegExp) => screen.getByRole('button', { name })
const armed = () => waitFor(() => expect(button(/^Answer notion/).getAttribute('aria-disabled')).toBeNull())

it('says who asks for whom, in the words of the server as plain text', async () => {
  await open()
  expect(screen.getByText('“Where shall I put <b>it</b>?”')).toBeTruthy()
  expect(screen.getByText('called create_page')).toBeTruthy()
  expect(screen.getAllByText('notion, for Cursor')).toBeTruthy()
})

it('leads to what is to be corrected, then sends the fields with what was proposed', async () => {
  const { person, sent } = await open()
  await armed()
  await person.click(button(/^Answer notion/))
  const reviewer = screen.getByRole('textbox', { name: /Reviewer/ })
  await waitFor(() => expect(document.activeElement).toBe(reviewer))
  await person.type(reviewer, 'karim')
  await person.keyboard('{Control>}{Enter}{/Control}')
  expect(sent()).toEqual([])
  await person.type(reviewer, '@acme.example')
  await person.keyboard('{Control>}{Enter}{/Control}')
  await waitFor(() => expect(sent()).toEqual([{ approve: true, data: { reviewer: 'karim@acme.example', copies: 2 } }]))
})

it('is declined with Escape', async () => {
  const { person, sent } = await open()
  await person.keyboard('{Escape}')
  await waitFor(() => expect(sent()).toEqual([{ approve: false }]))
})

it('is closed with its call', async () => {
  const { person, sent } = await open()
  await person.click(button(/^Cancel the call/))
  await waitFor(() => expect(sent()).toEqual([{ approve: false, cancel: true }]))
})

it('answers nothing in the first moment', async () => {
  const { person, sent } = await open({
    params: { message: 'Go on?', requestedSchema: { type: 'object', properties: {} } },
  })
  await person.keyboard('{Control>}{Enter}{/Control}')
  expect(sent()).toEqual([])
  await armed()
  await person.keyboard('{Control>}{Enter}{/Control}')
  await waitFor(() => expect(sent()).toEqual([{ approve: true, data: {} }]))
})

it('keeps what was filled in when the answer could not be kept', async () => {
  const { person } = await open({}, { 'POST /api/inbox/q1/answer': () => refusal('disk_full', 500) })
  await armed()
  await person.type(screen.getByRole('textbox', { name: /Reviewer/ }), 'karim@acme.example')
  await person.click(button(/^Answer notion/))
  expect((await screen.findByRole('alert')).textContent).toContain('disk is full')
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: /Reviewer/ }).value).toBe('karim@acme.example')
})

it('of no known call is the server’s alone', async () => {
  await open({ caller: { kind: 'server', name: 'notion', user: 'local' }, tool: '' })
  expect(screen.queryByText(/for notion/)).toBeNull()
  expect(screen.getByText('asks the question')).toBeTruthy()
})

it.each([
  ['Answered', { status: 'approved', answer: { approve: true } }],
  ['Declined', { status: 'denied', answer: { approve: false } }],
  ['Call cancelled', { status: 'denied', answer: { approve: false, cancel: true } }],
  ['Left without an answer', { status: 'lapsed' }],
  ['Not put to you', { status: 'lapsed', failure: { code: 'elicitation_limit', message: 'too many' } }],
] as const)('says how it ended: %s', async (words, { status, ...rest }) => {
  const by = { kind: 'window' as const, name: 'window', user: 'local' }
  const answer = 'answer' in rest ? { answer: { ...rest.answer, by, at: '2026-11-26T16:04:00Z' } } : {}
  await open({ status, ...answer, ...('failure' in rest ? { failure: rest.failure } : {}) })
  expect(screen.getByText(words)).toBeTruthy()
  expect(screen.queryByRole('textbox', { name: /Reviewer/ })).toBeNull()
})
