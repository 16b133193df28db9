import type { Page } from '@playwright/test'
import { violations } from '../harness/axe'
import type { Core } from '../harness/core'
import { Endpoint, setModel } from '../harness/model'
import type { Program } from '../harness/processes'
import { expect, test } from '../harness/test'
import type { Words } from '../harness/words'

let endpoint: Endpoint

test.beforeEach(async ({ core, app }) => {
  endpoint = new Endpoint()
  await core.addEverything()
  await app.goto(`${core.url}/#/inbox`)
})

test.afterEach(() => endpoint.close())

/** Starts a call in which the real server asks for a text, and approves it. */
async function asked(app: Page, t: Words, core: Core): Promise<Program> {
  const name = 'trigger-sampling-request'
  const args = JSON.stringify({ prompt: 'the numbers' })
  const call = core.command('mcp', 'call', 'everything', name, '--args', args, '--wait', '120', '--json')
  await expect(app.getByRole('heading', { level: 2, name: t('inbox.asks.tool', { name }) })).toBeVisible()
  await expect(app.getByRole('button', { name: t('inbox.answers.once') })).toBeEnabled()
  await app.keyboard.press('Control+Enter')
  return call
}

const textOf = async (call: Program) => {
  await call.ended
  return (JSON.parse(call.output) as { text?: string }).text ?? call.output
}

test('a text is changed before the model sees it, and its answer is seen before the server does', async ({
  app,
  t,
  core,
}) => {
  await setModel(app, t, core, endpoint)
  const call = await asked(app, t, core)
  const title = app.getByRole('heading', { level: 2, name: t('inbox.asks.text', { server: 'everything' }) })
  await expect(title).toBeFocused()
  await expect(app.getByText('You are a helpful test server.')).toBeVisible()
  await expect(app.getByText(t('inbox.text.meter', { asked: 1, most: 100 }))).toBeVisible()
  expect(await violations(app)).toEqual([])
  expect(endpoint.heard).toEqual([])
  await app.getByRole('button', { name: t('inbox.edit') }).press('Enter')
  await app.getByRole('textbox', { name: t('inbox.text.roles.user') }).fill('nothing at all')
  await expect(app.getByRole('button', { name: t('inbox.text.send') })).toBeEnabled()
  await app.keyboard.press('Control+Enter')
  const written = app.getByRole('heading', { level: 2, name: t('inbox.asks.written', { server: 'everything' }) })
  await expect(written).toBeFocused()
  await expect(app.getByText('HEARD "nothing at all"')).toBeVisible()
  expect(await violations(app)).toEqual([])
  expect(endpoint.heard).toHaveLength(1)
  expect(endpoint.heard[0]).not.toContain('the numbers')
  await expect(app.getByRole('button', { name: t('inbox.text.give', { name: 'everything' }) })).toBeEnabled()
  await app.keyboard.press('Control+Enter')
  expect(await textOf(call)).toContain('HEARD \\"nothing at all\\"')
})

test('a text that is refused goes nowhere', async ({ app, t, core }) => {
  await setModel(app, t, core, endpoint)
  const call = await asked(app, t, core)
  await expect(
    app.getByRole('heading', { level: 2, name: t('inbox.asks.text', { server: 'everything' }) }),
  ).toBeFocused()
  await app.keyboard.press('Escape')
  expect(await textOf(call)).toContain('User rejected sampling request')
  expect(endpoint.heard).toEqual([])
})

test('without a model the server is refused, and the person is led to the setting', async ({ app, t, core }) => {
  const call = await asked(app, t, core)
  expect(await textOf(call)).toContain('no model is set for sampling')
  await app.getByRole('link', { name: t('inbox.text.short') }).click()
  await app.getByRole('link', { name: t('inbox.text.settings') }).click()
  await expect(app.getByLabel(t('settings.model.address'), { exact: true })).toBeVisible()
})

test('a model that fails is told to the person, with its reason', async ({ app, t, core }) => {
  endpoint.failing = true
  await setModel(app, t, core, endpoint)
  const call = await asked(app, t, core)
  await expect(app.getByRole('button', { name: t('inbox.text.send') })).toBeEnabled()
  await app.keyboard.press('Control+Enter')
  expect(await textOf(call)).toContain('the model gave no text')
  await app.getByRole('link', { name: t('inbox.text.short') }).click()
  await expect(app.getByText(/no such model/)).toBeVisible()
})
