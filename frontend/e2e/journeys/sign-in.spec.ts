import type { Page } from '@playwright/test'
import { violations } from '../harness/axe'
import { card, ready } from '../harness/connexions'
import type { Core } from '../harness/core'
import { freePort } from '../harness/processes'
import { ServerPage } from '../harness/server-page'
import { expect, test } from '../harness/test'
import { Wizard } from '../harness/wizard'
import type { Words } from '../harness/words'

/** The tests of several browsers run side by side, and each needs a port that sign-ins come back to. */
async function takePort(core: Core): Promise<void> {
  await core.json('settings', 'set', 'oauth.callback_port', String(await freePort()))
}

async function toTest(wizard: Wizard, t: Words, url: string): Promise<void> {
  await wizard.open()
  await wizard.choose('streamable_http')
  await wizard.button('wizard.continue').click()
  await wizard.page.getByRole('radio', { name: t('wizard.auth.oauth.name'), exact: true }).click()
  await wizard.button('wizard.continue').click()
  await wizard.address('coffre', url)
  await wizard.test()
}

/** Presses, and gives the one page that opens. */
async function opens(page: Page, press: () => Promise<void>): Promise<Page> {
  const [opened] = await Promise.all([page.waitForEvent('popup'), press()])
  return opened
}

/** Allows at the provider's page, and sees that this page can be closed. */
async function allows(provider: Page): Promise<void> {
  await provider.getByRole('button', { name: 'Allow' }).click()
  await provider.waitForURL((url) => url.pathname === '/callback')
  await provider.close()
}

async function calls(page: Page, t: Words, message: string): Promise<void> {
  const server = new ServerPage(page, t)
  await server.open('echo')
  await server.fill('message', message)
  await server.call('server.form.call')
  await server.approve()
  await expect(server.result.getByText(message).first()).toBeVisible()
}

const waiting = (page: Page, t: Words) => page.getByText(t('signIn.waiting'), { exact: true })

test('a server behind a sign-in is added, called, kept signed in and signed out of', async ({
  app,
  t,
  core,
  locked,
}) => {
  await takePort(core)
  const wizard = new Wizard(app, t)
  await toTest(wizard, t, locked.url)
  const provider = await opens(app, () => wizard.button('wizard.fixes.signIn.button').click())
  await expect(waiting(app, t)).toBeVisible()
  await allows(provider)
  await wizard.passed()
  await wizard.button('wizard.continue').click()
  await wizard.add()
  const added = await ready(app, t, 'coffre')
  await added.getByRole('button', { name: t('connexions.actions.try') }).click()
  await calls(app, t, 'bonjour')

  // Nobody is asked again: the next call gets a new token by itself.
  const pages = app.context().pages().length
  const before = await locked.counts()
  await locked.expire()
  await calls(app, t, 'encore')
  const after = await locked.counts()
  expect(after.refreshes).toBeGreaterThan(before.refreshes)
  expect(after.authorizations).toBe(1)
  expect(app.context().pages()).toHaveLength(pages)

  await new ServerPage(app, t).tab('settings')
  await expect(app.getByText(new URL(locked.url).hostname).first()).toBeVisible()
  await app.getByRole('button', { name: t('signIn.signOut') }).click()
  const question = app.getByRole('dialog', { name: t('signIn.signOutFrom', { name: 'coffre' }) })
  await question.getByRole('button', { name: t('signIn.signOut') }).click()
  await expect(app.getByText(t('states.needs_sign_in'), { exact: true }).first()).toBeVisible()
  expect((await locked.counts()).revocations).toBeGreaterThan(0)
})

test('a sign-in waits on the card, is given up, refused, and then done', async ({ app, t, core, locked }) => {
  await takePort(core)
  await core.json('mcp', 'add-server', '--name', 'coffre', '--transport', 'http', '--url', locked.url, '--no-test')
  await app.goto(core.url)
  const row = card(app, 'coffre')
  const signIn = row.getByRole('button', { name: t('connexions.actions.sign-in'), exact: true })
  const abandoned = await opens(app, () => signIn.click())
  await expect(waiting(app, t)).toBeVisible()
  await abandoned.close()
  await row.getByRole('button', { name: t('common.cancel') }).click()
  await expect(waiting(app, t)).toHaveCount(0)

  const refusing = await opens(app, () => signIn.click())
  await refusing.getByRole('button', { name: 'Deny' }).click()
  await expect(row.getByRole('alert')).toContainText(t('signIn.failed'))
  await refusing.close()

  await allows(await opens(app, () => row.getByRole('button', { name: t('signIn.next.retry') }).click()))
  await ready(app, t, 'coffre')
})

test('a tool that wants more rights says which, and works once they are given', async ({
  app,
  t,
  core,
  startLocked,
}) => {
  const picky = await startLocked('-rotate', '-scopes', 'mcp', '-tool-scope', 'echo=admin')
  await takePort(core)
  await core.json('mcp', 'add-server', '--name', 'coffre', '--transport', 'http', '--url', picky.url, '--no-test')
  await app.goto(core.url)
  const signIn = t('connexions.actions.sign-in')
  const row = card(app, 'coffre')
  await allows(await opens(app, () => row.getByRole('button', { name: signIn, exact: true }).click()))
  const added = await ready(app, t, 'coffre')
  await added.getByRole('button', { name: t('connexions.actions.try') }).click()
  const server = new ServerPage(app, t)
  await server.open('echo')
  await server.fill('message', 'bonjour')
  await server.call('server.form.call')
  await server.consent()
  await expect(server.result.getByText(t('errors.more_rights_needed.more', { scopes: 'admin' }))).toBeVisible()

  const offer = app.getByRole('button', { name: signIn, exact: true })
  await expect(app.getByText(t('states.degraded'), { exact: true }).first()).toBeVisible()
  await expect(offer).toHaveCount(1)
  const provider = await opens(app, () => offer.click())
  await expect(app.getByRole('group', { name: t('signIn.to', { name: 'coffre' }) })).toContainText('admin')
  expect(await violations(app)).toEqual([])
  await allows(provider)
  await expect(server.result.getByText(t('signIn.doneCallAgain'))).toBeVisible()
  await server.call('server.form.call')
  await server.approve()
})

test('a provider that registers nobody is told the redirect URI and tells the client ID', async ({
  app,
  t,
  core,
  startLocked,
}) => {
  const port = await freePort()
  await core.json('settings', 'set', 'oauth.callback_port', String(port))
  const redirect = `http://127.0.0.1:${port}/callback`
  const closed = await startLocked(
    '-no-registration',
    '-exact-redirect',
    '-client-id',
    'mine',
    '-client-redirect',
    redirect,
  )
  const wizard = new Wizard(app, t)
  await toTest(wizard, t, closed.url)
  const useless = await opens(app, () => wizard.button('wizard.fixes.signIn.button').click())
  await expect(app.getByText(redirect, { exact: true })).toBeVisible()
  await expect(wizard.button('signIn.copyRedirect')).toBeVisible()
  await expect.poll(() => useless.isClosed()).toBe(true)
  await expect(wizard.button('wizard.fixes.signIn.button')).toHaveCount(0)
  expect(await violations(app)).toEqual([])
  await wizard.button('signIn.next.fields').click()
  await expect(app.getByText(redirect, { exact: true })).toBeVisible()
  await wizard.field('signIn.fields.clientId').fill('mine')
  await wizard.button('wizard.continue').click()
  await wizard.test()
  await allows(await opens(app, () => wizard.button('wizard.fixes.signIn.button').click()))
  await wizard.passed()
})
