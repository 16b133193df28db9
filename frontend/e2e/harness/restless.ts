import { expect, type Page } from '@playwright/test'
import { ready } from './connexions'
import type { Core } from './core'
import { fakeServer } from './paths'
import type { Words } from './words'

/** A server that describes its tool echo in other words when it is told to. */
export async function addRestless(core: Core, page: Page, t: Words): Promise<void> {
  const flags = ['--transport', 'stdio', '--command', fakeServer, '--args', '-behave restless']
  await core.json('mcp', 'add-server', '--name', 'restless', ...flags)
  await page.goto(`${core.url}/#/`)
  await ready(page, t, 'restless')
}

/** Has the server change the words of echo, and waits until that is noticed. */
export async function retell(core: Core, words: string): Promise<void> {
  const told = core.command(
    'mcp',
    'call',
    'restless',
    'retell',
    '--args',
    JSON.stringify({ message: words }),
    '--wait',
    '60',
    '--json',
  )
  await told.ended
  expect(JSON.parse(told.output)).toMatchObject({ ok: true })
}
