import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { InboxRequest } from '@/lib/api'
import { openRequest } from '@/testing/openRequest'

const asked: InboxRequest = {
  id: 't1',
  kind: 'sampling',
  status: 'waiting',
  server: 'notion',
  caller: { kind: 'client', name: 'Cursor', user: 'local', session: 's' },
  call_id: 'c1',
  call_kind: 'tool',
  tool: 'summarize',
  params: {
    systemPrompt: 'Be brief.',
    messages: [
      { role: 'user', content: { type: 'text', text: 'Sum up <b>14</b> tickets' } },
      { role: 'user', content: [{ type: 'image', data: 'AA==', mimeType: 'image/png' }] },
    ],
    maxTokens: 800,
    temperature: 0.5,
    modelPreferences: { speedPriority: 0.9 },
  },
  decision: { verdict: 'ask', because: '', risk: 'medium', steps: [] },
  created_at: '2026-11-26T16:00:00Z',
}

const written: Partial<InboxRequest> = {
  text_for: 't0',
  params: { role: 'assistant', model: 'mistral-small', content: { type: 'text', text: 'Two causes.' } },
}

let sent: () => unknown[]

async function open(change: Partial<InboxRequest> = {}, outlook: object = { model: 'mistral-small' }) {
  const opened = await openRequest({ ...asked, ...change }, /model/, {
    'GET /api/inbox/t1/text': { asked: 12, most: 100, ...outlook },
  })
  sent = opened.sent
  return opened.person
}

const button = (name: RegExp) => screen.getByRole('button', { name })
const armed = (name: RegExp) => waitFor(() => expect(button(name).getAttribute('aria-disabled')).toBeNull())

it('names what waits after the latest calls of its caller', async () => {
  await open()
  const side = within(await screen.findByRole('complementary'))
  expect(await side.findByText('A text of your model')).toBeDefined()
  expect(side.getByText('Latest calls of Cursor')).toBeDefined()
  expect(side.getByText('The tool')).toBeDefined()
})

it('tells of no calls of a server that asks by itself, nor of a tool', async () => {
  await open({ caller: { kind: 'server', name: 'notion', user: 'local' }, tool: '' })
  const side = within(await screen.findByRole('complementary'))
  expect(side.queryByText(/Latest calls/)).toBeNull()
  expect(side.queryByText('The tool')).toBeNull()
})

it('shows the exact text, what else is asked for, the model and the meter', async () => {
  await open()
  expect(screen.getByText('Be brief.')).toBeTruthy()
  expect(screen.getByText('Sum up <b>14</b> tickets')).toBeTruthy()
  expect(screen.getByText(/image\/png/)).toBeTruthy()
  expect(screen.getByText(/temperature, modelPreferences/)).toBeTruthy()
  expect(screen.getByText('a fast model')).toBeTruthy()
  expect(screen.getByText('800 tokens at most')).toBeTruthy()
  expect(await screen.findByText('12 of 100')).toBeTruthy()
  expect(screen.getAllByText('mistral-small').length).toBeGreaterThan(1)
})

it('sends what was asked for, and shows the answer unless the person says otherwise', async () => {
  const person = await open()
  await armed(/^Send to the model/)
  await person.keyboard('{Control>}{Enter}{/Control}')
  await waitFor(() => expect(sent()).toEqual([{ approve: true, scope: 'once', review: true }]))
})

it('sends the words that the person wrote, for the session too', async () => {
  const person = await open()
  await person.click(button(/^Edit/))
  const words = screen.getByRole('textbox', { name: 'System' })
  await person.clear(words)
  await person.type(words, 'Be long.')
  await person.click(screen.getByRole('checkbox'))
  await armed(/^For this session/)
  await person.click(button(/^For this session/))
  await waitFor(() =>
    expect(sent()).toEqual([
      { approve: true, scope: 'session', review: false, params: { ...asked.params, systemPrompt: 'Be long.' } },
    ]),
  )
})

it('is refused with Escape', async () => {
  const person = await open()
  await person.keyboard('{Escape}')
  await waitFor(() => expect(sent()).toEqual([{ approve: false }]))
})

it('sends nothing without a model, and leads to the setting', async () => {
  const failure = { code: 'model_not_set', message: 'none', args: { reason: 'no_model_address' } }
  const person = await open({}, { failure })
  const link = await screen.findByRole('link', { name: 'Set a model' })
  expect(link.getAttribute('href')).toContain('/settings')
  await person.keyboard('{Control>}{Enter}{/Control}')
  expect(button(/^Send to the model/).getAttribute('aria-disabled')).toBe('true')
  expect(sent()).toEqual([])
})

it('says of a text that never was why', async () => {
  await open({ status: 'lapsed', failure: { code: 'model_not_set', message: 'none' } })
  expect(screen.getAllByText('No text').length).toBeGreaterThan(0)
  expect(screen.getByRole('link', { name: 'Set a model' })).toBeTruthy()
})

it('shows what the model wrote before the server gets it', async () => {
  const person = await open(written)
  expect(screen.getByText('Two causes.')).toBeTruthy()
  expect(screen.queryByRole('checkbox')).toBeNull()
  await armed(/^Give to notion/)
  await person.click(button(/^Give to notion/))
  await waitFor(() => expect(sent()).toEqual([{ approve: true, scope: 'once' }]))
})

it('counts one token as one', async () => {
  await open({ params: { ...asked.params, messages: [], systemPrompt: 'Hi.' } })
  expect(screen.getByText('0 messages, about 1 token')).toBeTruthy()
})

it('lets the length be empty while it is typed, says so, and sends nothing without one', async () => {
  const person = await open()
  await person.click(button(/^Edit/))
  const length = screen.getByRole('spinbutton', { name: 'Length' })
  await person.clear(length)
  expect(length).toHaveProperty('value', '')
  expect(length.getAttribute('aria-invalid')).toBe('true')
  expect(document.getElementById(length.getAttribute('aria-describedby') ?? '')?.textContent).toBe(
    'Write a whole number, 1 or more.',
  )
  await person.click(button(/^Done/))
  await person.keyboard('{Control>}{Enter}{/Control}')
  expect(button(/^Send to the model/).getAttribute('aria-disabled')).toBe('true')
  await person.type(screen.getByRole('spinbutton', { name: 'Length' }), '0')
  expect(screen.getByText('Write a whole number, 1 or more.')).toBeTruthy()
  await person.clear(screen.getByRole('spinbutton', { name: 'Length' }))
  await person.type(screen.getByRole('spinbutton', { name: 'Length' }), '25')
  await armed(/^Send to the model/)
  expect(sent()).toEqual([])
  await person.click(button(/^Send to the model/))
  await waitFor(() => expect(sent()).toMatchObject([{ params: { maxTokens: 25 } }]))
})

it('reaches a long text by keys, under the name of who says it', async () => {
  await open({ params: { ...asked.params, systemPrompt: 'Be brief. '.repeat(100) } })
  expect(screen.getByRole('group', { name: 'System' })).toHaveProperty('tabIndex', 0)
  expect(screen.getByText('Sum up <b>14</b> tickets')).toHaveProperty('tabIndex', -1)
})

it('says that the last request of all was answered', async () => {
  const person = await open()
  await person.keyboard('{Escape}')
  const said = () => screen.getAllByRole('status').map(({ textContent }) => textContent)
  await waitFor(() => expect(said()).toContain('Answer given, A text of your model.'))
  await waitFor(() => expect(window.location.hash).toBe('#/inbox'))
  expect(said()).toContain('Answer given, A text of your model.')
})
