import type { Page } from '@playwright/test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ready } from '../harness/connexions'
import type { Core } from '../harness/core'
import { fakeServer } from '../harness/paths'
import { expect, test } from '../harness/test'
import type { Words } from '../harness/words'

const good = `# what a person wrote

[[mcp_servers]]
name = "from file"
transport = "stdio"
command = "${fakeServer}"

[approvals]
from_cli = "never"
`
const broken = good.replace('"stdio"', '')

/** Writes an entry into config.toml of a core that runs, and confirms it in the inbox. */
async function write(app: Page, t: Words, core: Core, text: string): Promise<void> {
  writeFileSync(join(core.data, 'config.toml'), text)
  await app.goto(`${core.url}/#/inbox`)
  await accept(app, t('inbox.asks.newSetup', { server: 'from file' }), t('inbox.setup.acceptNew'))
  await app.goto(`${core.url}/#/`)
}

async function accept(app: Page, title: string, name: string): Promise<void> {
  await expect(app.getByRole('heading', { level: 2, name: title })).toBeFocused()
  await expect(app.getByRole('button', { name })).toBeEnabled()
  await app.keyboard.press('Control+Enter')
  await expect(app.getByRole('heading', { level: 2, name: title })).toHaveCount(0)
}

test('an entry that starts something else is stopped until a person has seen it', async ({ app, t, core }) => {
  await write(app, t, core, good)
  const row = await ready(app, t, 'from file')
  writeFileSync(
    join(core.data, 'config.toml'),
    good.replace('[approvals]', 'args = ["-behave", "banner"]\n\n[approvals]'),
  )
  await expect(row.getByText(t('states.needs_approval'))).toBeVisible()
  await row.getByRole('button', { name: t('connexions.actions.review') }).click()
  const title = t('inbox.asks.setup', { server: 'from file' })
  await expect(app.getByRole('heading', { level: 2, name: title })).toBeFocused()
  await expect(app.getByText(`${fakeServer} -behave banner`)).toBeVisible()
  await app.keyboard.press('Escape')
  await expect(app.getByRole('heading', { level: 2, name: title })).toHaveCount(0)
  await app.goto(`${core.url}/#/`)
  await expect(row.getByText(t('states.needs_approval'))).toBeVisible()
  await row.getByRole('button', { name: t('connexions.actions.review') }).click()
  await accept(app, title, t('inbox.setup.accept'))
  await app.goto(`${core.url}/#/`)
  await ready(app, t, 'from file')
})

test('a server of config.toml is marked, read only, and told where it is edited', async ({ app, t, core }) => {
  await write(app, t, core, good)
  const row = await ready(app, t, 'from file')
  await expect(row.getByText('config.toml')).toBeVisible()
  await row.getByRole('button', { name: t('connexions.menu.label', { name: 'from file' }) }).click()
  await expect(app.getByRole('menuitem', { name: t('connexions.menu.editInFile', { line: 3 }) })).toBeDisabled()
  await expect(app.getByRole('menuitem', { name: t('connexions.menu.remove') })).toBeDisabled()
  await app.keyboard.press('Escape')
  await app.goto(`${core.url}/#/servers/from_file?tab=settings`)
  await expect(app.getByText(t('server.settings.inFile', { line: 3 }))).toBeVisible()
  await expect(app.getByLabel(t('server.settings.timeout'), { exact: true })).not.toBeEditable()
  await expect(app.getByRole('button', { name: t('server.settings.remove') })).toHaveCount(0)
  await app.goto(`${core.url}/#/settings`)
  await expect(app.getByText(t('settings.fixed', { line: 9 }))).toBeVisible()
})

test('a broken config.toml is told with its line and column, and changes nothing', async ({ app, t, core }) => {
  const file = join(core.data, 'config.toml')
  await write(app, t, core, good)
  await ready(app, t, 'from file')
  writeFileSync(file, broken)
  const told = app.getByText(t('errors.config_invalid.more', { file, line: '5', column: '13' }))
  await expect(told).toBeVisible()
  await ready(app, t, 'from file')
  writeFileSync(file, good)
  await expect(told).toHaveCount(0)
})
