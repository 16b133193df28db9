import { violations } from '../harness/axe'
import { card, ready } from '../harness/connexions'
import { ServerPage } from '../harness/server-page'
import { expect, test } from '../harness/test'
import { Wizard } from '../harness/wizard'

test('a server of the network appears, is added by the wizard, called, and followed only by a person', async ({
  app,
  t,
  core,
  neighbour,
}) => {
  const name = `Notes ${neighbour.theirs}`
  const port = await neighbour.serve()
  const announced = { name: 'notes', port, addresses: [neighbour.theirs], text: [`name=${name}`, 'auth=none'] }
  await neighbour.register(announced)
  const dock = app.getByRole('region', { name: t('network.title') })
  await expect(dock).toHaveCount(0)

  await app.goto(`${core.url}/#/preferences`)
  const search = app.getByRole('switch', { name: t('preferences.search.name') })
  await expect(search).not.toBeChecked()
  await search.click()
  await expect(search).toBeChecked()
  await app.getByRole('link', { name: t('preferences.back') }).click()
  await expect(dock.getByText(name, { exact: true })).toBeVisible()
  expect(await violations(app)).toEqual([])

  await dock.getByRole('button', { name: t('network.reviewOf', { name }) }).click()
  const wizard = new Wizard(app, t)
  await wizard.passed()
  await wizard.button('wizard.continue').click()
  await wizard.add()
  await ready(app, t, name)
  await expect(card(app, name).getByText(t('trust.community'), { exact: true }).filter({ visible: true })).toBeVisible()

  const { servers } = await core.json<{ servers: { id: string }[] }>('mcp', 'list')
  const id = servers[0]?.id ?? ''
  await app.goto(`${core.url}/#/servers/${id}?tab=tools`)
  const server = new ServerPage(app, t)
  await server.open('echo')
  await app.getByRole('textbox', { name: 'message' }).fill('over the network')
  await server.call('server.form.call')
  await server.approve()
  await expect(server.result).toContainText('over the network')

  // At another address it waits for a person.
  await neighbour.leave('notes')
  const second = await neighbour.serve()
  await neighbour.register({ ...announced, port: second })
  await app.getByRole('button', { name: t('network.moved.see') }).click()
  const question = app.getByRole('dialog')
  await expect(question).toContainText(`http://${neighbour.theirs}:${second}/mcp`)
  expect((await core.json<{ url: string }>('mcp', 'info', id)).url).toContain(String(port))
  await question.getByRole('button', { name: t('network.moved.accept') }).click()
  await expect(app.getByRole('button', { name: t('network.moved.see') })).toHaveCount(0)
  expect((await core.json<{ url: string }>('mcp', 'info', id)).url).toContain(String(second))

  await app.goto(`${core.url}/#/preferences`)
  await search.click()
  await app.getByRole('link', { name: t('preferences.back') }).click()
  await expect(card(app, name)).toBeVisible()
  await expect(dock).toHaveCount(0)
})

test('what becomes visible is shown before a server is announced, and taken back', async ({
  app,
  t,
  core,
  neighbour,
  startFake,
}) => {
  const url = await startFake('http', '-addr', '0.0.0.0:0')
  const { port } = new URL(url)
  const name = `team-${neighbour.number}`
  await core.json('mcp', 'add-server', '--name', name, '--transport', 'http', '--url', `http://127.0.0.1:${port}/mcp`)
  await app.goto(`${core.url}/#/preferences`)
  await app.getByRole('combobox', { name: t('preferences.announce.choose') }).click()
  await app.getByRole('option', { name }).click()
  await expect(app.getByText(t('preferences.announce.visible'))).toBeVisible()
  await expect(app.getByText(port, { exact: true })).toBeVisible()
  expect(await violations(app)).toEqual([])
  await app.getByRole('button', { name: t('preferences.announce.on'), exact: true }).click()
  const question = app.getByRole('dialog')
  await expect(question).toContainText(neighbour.ours)
  expect(await violations(app)).toEqual([])
  await question.getByRole('button', { name: t('preferences.announce.on'), exact: true }).click()
  const on = app.getByRole('switch', { name: t('preferences.announced.name', { name }) })
  await expect(on).toBeChecked()
  expect(await neighbour.find(name)).toContain(`port ${port}`)
  await on.click()
  await expect(on).toHaveCount(0)
})
