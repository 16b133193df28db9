import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { ToolFinding } from '@/lib/api'
import { pretendCore } from '@/testing/core'
import { drop, search, server } from '@/testing/notion'
import { openApp } from '@/testing/openApp'

const found: ToolFinding = {
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
  expect(within(list).getAllByText('Look closely at what this tool says')).toHaveLength(1)
})
