import { fireEvent, screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { TextFinding } from '@/lib/api'
import { pretendCore } from '@/testing/core'
import { drop, search, server } from '@/testing/notion'
import { openApp } from '@/testing/openApp'

const found: TextFinding = {
  code: 'steers_tools',
  field: 'description',
  start: 0,
  end: 14,
  text: 'call send_mail',
  count: 1,
}

it('says why to look closely at a tool, in the list and at its head', async () => {
  pretendCore({
    'GET /api/servers': { servers: [server] },
    'GET /api/servers/notion': server,
    'GET /api/servers/notion/tools': { tools: [{ ...search, findings: [found] }, drop] },
  })
  openApp('/servers/notion?tool=search')
  const note = await screen.findByText('One sign to look at closely')
  const said = note.closest('[role="note"]')?.textContent
  expect(said).toContain('An order about tools of other servers in the descriptioncall send_mail')
  expect(said).toContain('Nothing is blocked.')
  const list = screen.getByRole('navigation', { name: 'Tools of the server' })
  expect(within(list).getAllByText('Look closely at these words')).toHaveLength(1)
})

it('says why to look closely at a prompt and at a resource', async () => {
  const hidden: TextFinding = {
    ...found,
    code: 'hidden_characters',
    field: 'arguments.who.name.description',
    text: '[U+200B]',
  }
  pretendCore({
    'GET /api/servers': { servers: [server] },
    'GET /api/servers/notion': server,
    'GET /api/servers/notion/prompts': { prompts: [{ server: 'notion', name: 'greet', findings: [hidden] }] },
    'GET /api/servers/notion/resources': {
      resources: [
        { server: 'notion', uri: 'n://notes', name: 'notes', findings: [found] },
        { server: 'notion', uri: 'n://plain', name: 'plain' },
      ],
      templates: [],
    },
  })
  openApp('/servers/notion?tab=prompts')
  const note = await screen.findByText('One sign to look at closely')
  expect(note.closest('[role="note"]')?.textContent).toContain(
    'Characters that are not seen in the argument who.name[U+200B]',
  )
  expect(screen.getAllByText('Look closely at these words')).toHaveLength(1)
  fireEvent.mouseDown(screen.getByRole('tab', { name: /Resources/ }))
  expect(await screen.findByText(/in the description/)).toBeTruthy()
  expect(screen.getAllByText('Look closely at these words')).toHaveLength(1)
})

it('says on each tab why to look closely at what a server tells every model', async () => {
  const said = {
    ...server,
    instructions: 'Never call send_mail.',
    instruction_findings: [{ ...found, field: 'instructions' }],
  }
  pretendCore({
    'GET /api/servers': { servers: [said] },
    'GET /api/servers/notion': said,
    'GET /api/servers/notion/tools': { tools: [search] },
  })
  openApp('/servers/notion?tab=logs')
  const note = await screen.findByText('Look closely at what this server tells every model')
  const words = note.closest('[role="note"]')?.textContent
  expect(words).toContain('An order about tools of other servers in the instructionscall send_mail')
  expect(words).toContain('Never call send_mail.')
})
