import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { ServerPage } from '../harness/server-page'
import { expect, test } from '../harness/test'

test('a server that runs learns of the folders that a person names, and of no others', async ({ app, t, core }) => {
  const notes = join(core.home, 'notes')
  mkdirSync(notes)
  await core.addEverything()
  await app.goto(`${core.url}/#/servers/everything?tab=settings`)
  const server = new ServerPage(app, t)
  const field = app.getByRole('textbox', { name: t('folders.new') })
  const folders = app.getByRole('list', { name: t('server.settings.roots') })
  await expect(app.getByText(t('server.settings.noRoots'))).toBeVisible()
  await core.json('mcp', 'connect', 'everything')
  const { pid } = await core.json<{ pid: number }>('mcp', 'info', 'everything')

  await field.fill(core.data)
  await field.press('Enter')
  await expect(app.getByRole('alert')).toContainText(t('errors.invalid_input.reasons.root_in_data'))
  await field.fill(notes)
  await field.press('Enter')
  await expect(folders.getByText(notes, { exact: true })).toBeVisible()
  await expect(field).toHaveValue('')
  await expect(app.getByRole('alert')).toHaveCount(0)

  await server.tab('tools')
  await server.open('get-roots-list')
  await server.call('server.form.call')
  await server.approve()
  await expect(server.result).toContainText(`file://${notes}`)
  await expect(server.result).not.toContainText(core.data)

  await server.tab('settings')
  await app.getByRole('button', { name: t('folders.remove', { folder: notes }) }).click()
  await expect(app.getByText(t('server.settings.noRoots'))).toBeVisible()
  const after = await core.json<{ pid: number; roots?: string[] }>('mcp', 'info', 'everything')
  expect(after.roots ?? []).toEqual([])
  expect(after.pid).toBe(pid)
})
