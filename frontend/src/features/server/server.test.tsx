import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Call, CallRequest, InboxRequest } from '@/lib/api'
import { aServer, pretendCore, type Heard } from '@/testing/core'
import { drop, finished, result, search, server } from '@/testing/notion'
import { openApp } from '@/testing/openApp'
let heard: Heard[]
let end: Partial<Call>
beforeEach(() => {
  end = result({ content: [{ type: 'text', text: 'found it' }] })
})

async function open(address: string, answers: Record<string, unknown> = {}) {
  heard = pretendCore({
    'GET /api/servers': { servers: [server] },
    'GET /api/servers/notion': server,
    'GET /api/servers/notion/tools': { tools: [search, drop] },
    'GET /api/servers/notion/resources': {
      resources: [],
      templates: [{ server: 'notion', uri_template: 'notion://{page}', name: 'page' }],
    },
    'GET /api/servers/notion/prompts': {
      prompts: [{ server: 'notion', name: 'sum', arguments: [{ name: 'month', required: true }] }],
    },
    'GET /api/servers/notion/traffic': { frames: [], next: 0 },
    'GET /api/servers/notion/logs': { lines: [], next: 0 },
    'POST /api/calls': ({ kind, name }: CallRequest) => finished({ ...end, kind, name }),
    'GET /api/calls/c1': () => finished(end),
    ...answers,
  })
  const user = openApp(address)
  await screen.findByRole('heading', { level: 1, name: 'notion' })
  return user
}

const sent = () => heard.filter(({ call }) => call === 'POST /api/calls').map(({ body }) => body)

describe('tools', () => {
  it('calls with what was typed, as the schema wants it, and shows the answer', async () => {
    const user = await open('/servers/notion?tool=search')
    await user.type(await screen.findByRole('textbox', { name: 'Query' }), 'bugs')
    await user.type(screen.getByRole('textbox', { name: 'Limit' }), '5')
    await user.keyboard('{Control>}{Enter}{/Control}')
    expect(await screen.findByText('found it')).toBeDefined()
    expect(screen.getByText('Succeeded')).toBeDefined()
    expect(sent()).toMatchObject([
      { server: 'notion', kind: 'tool', name: 'search', arguments: { query: 'bugs', limit: 5 } },
    ])
  })

  it('does not send what is missing or wrong, and takes the focus there', async () => {
    const user = await open('/servers/notion?tool=search')
    await user.type(await screen.findByRole('textbox', { name: 'Limit' }), '50')
    await user.click(screen.getByRole('button', { name: /Call the tool/ }))
    expect(await screen.findByText('2 values to correct')).toBeDefined()
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Query' })))
    expect(sent()).toEqual([])
  })

  it('sends JSON as it is typed, digits and unknown members included', async () => {
    const user = await open('/servers/notion?tool=search')
    await user.click(await screen.findByRole('radio', { name: 'JSON' }))
    const editor = screen.getByRole('textbox', { name: 'Arguments as JSON' })
    await user.clear(editor)
    await user.click(editor)
    await user.paste('{"query":"x","extra":[1]}')
    await user.click(screen.getByRole('button', { name: /Call the tool/ }))
    await waitFor(() => expect(sent()).toMatchObject([{ arguments: { query: 'x', extra: [1] } }]))
  })

  it('finds tools by name and words without accents, and says when there is none', async () => {
    const told = { ...search, description: 'Lit une clé' }
    const user = await open('/servers/notion?tool=search', { 'GET /api/servers/notion/tools': { tools: [told, drop] } })
    const list = await screen.findByRole('navigation', { name: 'Tools of the server' })
    const names = () => [...list.querySelectorAll('button')].map(({ textContent }) => textContent)
    await user.type(within(list).getByRole('textbox'), 'CLE')
    expect(names()).toEqual(['search'])
    await user.type(within(list).getByRole('textbox'), 'nothing')
    expect(names()).toEqual([])
    expect(within(list).getByText('Nothing matches.')).toBeDefined()
  })

  it('marks a denied tool in words', async () => {
    await open('/servers/notion?tool=drop')
    expect(await screen.findAllByText('Denied')).not.toHaveLength(0)
  })

  it.each<[string, Partial<Call>, string]>([
    ['an empty answer', result({ content: [] }), 'Empty answer'],
    [
      'an error of the tool',
      { ...result({ content: [{ type: 'text', text: 'no' }], isError: true }), is_error: true },
      'Tool error',
    ],
    ['a rule', { error: { code: 'denied', message: 'denied' } }, 'Denied by a rule'],
    ['cancelled too late', { error: { code: 'canceled', message: 'cancelled' } }, 'Cancelled after sending'],
    ['nobody knows', { error: { code: 'outcome_unknown', message: 'unknown' } }, 'Outcome unknown'],
  ])('says %s in its own words', async (_, outcome, words) => {
    end = outcome
    const user = await open('/servers/notion?tool=search')
    expect(await screen.findByText('Not called yet')).toBeDefined()
    await user.type(await screen.findByRole('textbox', { name: 'Query' }), 'x')
    await user.keyboard('{Control>}{Enter}{/Control}')
    expect(await screen.findByText(words)).toBeDefined()
  })

  it('asks in place, and shows the answer once it is given', async () => {
    const request: InboxRequest = {
      id: 'r1',
      kind: 'tool',
      status: 'waiting',
      server: 'notion',
      caller: { kind: 'window', name: 'window', user: 'local' },
      tool: 'search',
      call_kind: 'tool',
      params: { name: 'search', arguments: { query: 'x' } },
      effect: 'reads',
      decision: { verdict: 'ask', because: 'server_default', risk: 'medium', steps: [] },
      created_at: '2026-11-26T16:04:00Z',
    }
    end = { status: 'waiting', request_id: 'r1' }
    const user = await open('/servers/notion?tool=search', {
      'GET /api/inbox/r1': request,
      'POST /api/inbox/r1/answer': () => {
        end = result({ content: [{ type: 'text', text: 'found it' }] })
        return { ...request, status: 'approved' }
      },
    })
    await user.type(await screen.findByRole('textbox', { name: 'Query' }), 'x')
    await user.keyboard('{Control>}{Enter}{/Control}')
    const pane = await screen.findByRole('region', { name: 'Result' })
    const once = await within(pane).findByRole('button', { name: 'Once' })
    await waitFor(() => expect(once.getAttribute('aria-disabled')).toBeNull())
    await user.click(once)
    expect(await screen.findByText('found it', undefined, { timeout: 10_000 })).toBeDefined()
  })
})

it('reads a template’s address', async () => {
  end = result({ contents: [{ uri: 'notion://a%20b', text: 'the page' }] })
  const user = await open('/servers/notion?tab=resources')
  await user.type(await screen.findByRole('textbox', { name: 'page' }), 'a b')
  await user.click(screen.getByRole('button', { name: /Read the resource/ }))
  await waitFor(() => expect(sent()).toMatchObject([{ kind: 'resource', name: 'notion://a%20b' }]))
  expect(await screen.findByText('the page')).toBeDefined()
})

it('runs a prompt with its arguments and shows who says what', async () => {
  end = result({ messages: [{ role: 'user', content: { type: 'text', text: 'Sum up' } }] })
  const user = await open('/servers/notion?tab=prompts')
  await user.type(await screen.findByRole('textbox', { name: 'month' }), '2026-11')
  await user.click(screen.getByRole('button', { name: /Get the prompt/ }))
  await waitFor(() => expect(sent()).toMatchObject([{ kind: 'prompt', name: 'sum', arguments: { month: '2026-11' } }]))
  expect(await screen.findByText('Sum up')).toBeDefined()
})

it('says what a server does not announce, where one would look for it', async () => {
  const bare = aServer({ capabilities: { tools: {} } })
  await open('/servers/notion', { 'GET /api/servers/notion': bare })
  expect(await screen.findByText('Not announced: resources, prompts')).toBeDefined()
  expect(screen.queryByRole('tab', { name: /Prompts/ })).toBeNull()
})

it('shows a page of a ui:// resource as it was sent, and never runs it', async () => {
  const page = '<p>hi</p><img src="x" onerror="window.ran = true">'
  end = result({ contents: [{ uri: 'ui://widget', mimeType: 'text/html;profile=mcp-app', text: page }] })
  const widget = { server: 'notion', uri: 'ui://widget', name: 'Widget', mime_type: 'text/html;profile=mcp-app' }
  const user = await open('/servers/notion?tab=resources', {
    'GET /api/servers/notion/resources': { resources: [widget], templates: [] },
  })
  expect(await screen.findByRole('heading', { name: 'Widget' })).toBeDefined()
  expect(screen.getByText('text/html;profile=mcp-app')).toBeDefined()
  await user.click(screen.getByRole('button', { name: /Read/ }))
  expect(await screen.findByText(page)).toBeDefined()
  expect(document.querySelector('iframe, [onerror]')).toBeNull()
})

it('keeps what an extension adds to an answer', async () => {
  const part = { type: 'vendor/gauge', reading: 41 }
  end = result({ content: [part], vendor: { seal: 'untouched' } })
  const user = await open('/servers/notion?tool=search')
  await user.type(await screen.findByRole('textbox', { name: 'Query' }), 'x')
  await user.keyboard('{Control>}{Enter}{/Control}')
  expect(await screen.findByText(/vendor\/gauge/)).toBeDefined()
  await user.click(screen.getByRole('radio', { name: 'Raw' }))
  expect(await screen.findByText('"untouched"')).toBeDefined()
})
