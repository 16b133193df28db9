import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ready } from '../harness/connexions'
import { fakeServer } from '../harness/paths'
import { expect, test } from '../harness/test'

const good = `# what a person wrote

[[mcp_servers]]
name = "from file"
transport = "stdio"
command = "${fakeServer}"

[approvals]
from_cli = "never"
`
const broken = good.replace('"stdio"', '')

test('a server of config.toml is marked, read only, and told where it is edited', async ({ app, t, core }) => {
  writeFileSync(join(core.data, 'config.toml'), good)
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
  writeFileSync(file, good)
  await ready(app, t, 'from file')
  writeFileSync(file, broken)
  const told = app.getByText(t('errors.config_invalid.more', { file, line: '5', column: '13' }))
  await expect(told).toBeVisible()
  await ready(app, t, 'from file')
  writeFileSync(file, good)
  await expect(told).toHaveCount(0)
})
