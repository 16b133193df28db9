import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { card, ready } from '../harness/connexions'
import { expect, test } from '../harness/test'
import { ServerPage } from '../harness/server-page'
import { Wizard, type Transport } from '../harness/wizard'
import type { Words } from '../harness/words'

/** From a test that runs to a green card that shows what the server offers. */
async function addAndOpen(wizard: Wizard, t: Words, name: string, tools: readonly string[]): Promise<void> {
  await wizard.test()
  await wizard.passed()
  await wizard.button('wizard.continue').click()
  await expect(wizard.title).toHaveText(t('wizard.head.disclaimer.title', { name }))
  await expect(wizard.button('wizard.add')).toBeDisabled()
  await wizard.add()
  await expect(wizard.page.getByText(t('connexions.facts.ready', { count: 1 }))).toBeVisible()
  const added = await ready(wizard.page, t, name)
  await added.click()
  for (const tool of tools) await expect(added.getByText(tool, { exact: true })).toBeVisible()
  await added.getByRole('button', { name: t('connexions.actions.try') }).click()
}

async function callsEcho(page: Page, t: Words): Promise<void> {
  const server = new ServerPage(page, t)
  await server.open('echo')
  await server.fill('message', 'bonjour')
  await server.call('server.form.call')
  await expect(server.result.getByText(t('inbox.risk.reads'))).toBeVisible()
  await server.approve()
  await expect(server.result.getByText('Echo: bonjour')).toBeVisible()
}

async function readsAndAsks(page: Page, t: Words): Promise<void> {
  const server = new ServerPage(page, t)
  await server.tab('resources')
  await server.open('features.md')
  await server.call('server.resources.read')
  await server.approve()
  await expect(server.result.getByText('# Everything Server - Features')).toBeVisible()
  await server.tab('prompts')
  await server.open('args-prompt')
  await server.fill('city', 'Lille')
  await server.call('server.prompts.run')
  await server.approve()
  await expect(server.result.getByText("What's weather in Lille?")).toBeVisible()
}

async function readsTheLog(page: Page, t: Words): Promise<void> {
  const server = new ServerPage(page, t)
  await server.tab('logs')
  const log = page.getByRole('list', { name: t('server.tabs.logs') })
  await expect(log.getByText('ready: mcp-servers/everything')).toBeVisible()
  await page.getByLabel(t('server.log.filter')).fill('no line says this')
  await expect(page.getByText(t('server.log.noMatch'))).toBeVisible()
}

async function changesTheLimit(page: Page, t: Words): Promise<void> {
  const server = new ServerPage(page, t)
  await server.tab('settings')
  const limit = page.getByLabel(t('server.settings.timeout'), { exact: true })
  await limit.fill('45')
  await page.getByRole('button', { name: t('server.settings.save') }).click()
  await expect(page.getByText(t('server.settings.saved'), { exact: true })).toBeVisible()
  await page.reload()
  await expect(limit).toHaveValue('45')
}

for (const transport of ['stdio', 'streamable_http', 'sse'] satisfies Transport[]) {
  test(`a server over ${transport} is added in five steps, called, read, asked and set`, async ({
    app,
    t,
    core,
    remotes,
  }) => {
    const wizard = new Wizard(app, t)
    await wizard.open()
    await wizard.toParameters(transport)
    if (transport === 'stdio') await wizard.program('everything', 'mcp-server-everything', 'stdio')
    else await wizard.address('everything', transport === 'sse' ? remotes.sse : remotes.http)
    await addAndOpen(wizard, t, 'everything', ['echo', 'get-sum', 'get-tiny-image'])
    await callsEcho(app, t)
    await readsAndAsks(app, t)
    await readsTheLog(app, t)
    await changesTheLimit(app, t)
    const { servers } = await core.json<{ servers: { name: string; transport: string; trust: string }[] }>(
      'mcp',
      'list',
    )
    expect(servers).toMatchObject([{ name: 'everything', transport, trust: 'custom' }])
  })
}

test('a program takes a folder whose name has spaces', async ({ app, t, core }) => {
  const folder = join(core.folder, 'my own files')
  mkdirSync(folder)
  writeFileSync(join(folder, 'à lire.txt'), 'bonjour')
  const wizard = new Wizard(app, t)
  await wizard.open()
  await wizard.toParameters('stdio')
  await wizard.program('dossier', 'mcp-server-filesystem', folder)
  await addAndOpen(wizard, t, 'dossier', ['list_directory'])
  const server = new ServerPage(app, t)
  await server.open('list_directory')
  await server.fill('path', folder)
  await server.call('server.form.call')
  await server.approve()
  await expect(server.result.getByText('[FILE] à lire.txt')).toBeVisible()
})

test('going back keeps what was filled, and leaving asks first', async ({ app, t }) => {
  const wizard = new Wizard(app, t)
  await wizard.open()
  await wizard.toParameters('stdio')
  await wizard.program('everything', 'mcp-server-everything', 'stdio')
  await wizard.test()
  await wizard.passed()
  for (const title of ['wizard.head.stdio.title', 'wizard.head.authLocal.title', 'wizard.head.transport.title']) {
    await wizard.button('wizard.back').click()
    await expect(wizard.title).toHaveText(t(title))
  }
  await wizard.button('common.cancel').click()
  const question = app.getByRole('dialog', { name: t('wizard.leave.title') })
  await expect(question.getByRole('button', { name: t('wizard.leave.stay') })).toBeFocused()
  await app.keyboard.press('Enter')
  await wizard.button('wizard.continue').click()
  await wizard.button('wizard.continue').click()
  await expect(wizard.field('wizard.name')).toHaveValue('everything')
  await app.keyboard.press('Escape')
  await question.getByRole('button', { name: t('wizard.leave.leave') }).click()
  await expect(app.getByRole('heading', { name: t('firstRun.title') })).toBeVisible()
  await expect(card(app, 'everything')).toHaveCount(0)
})
