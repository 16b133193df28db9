import type { Page } from '@playwright/test'
import type { Core } from '../harness/core'
import type { Program } from '../harness/processes'
import { expect, test } from '../harness/test'
import type { Words } from '../harness/words'

interface CallAnswer {
  ok?: boolean
  text?: string
  error?: { code: string }
}

async function answerOf(call: Program): Promise<{ code: number | null; said: CallAnswer }> {
  await call.ended
  return { code: call.code, said: JSON.parse(call.output) as CallAnswer }
}

/** The card of a request for echo, once it is there and can be answered. */
async function asked(page: Page, t: Words): Promise<void> {
  await expect(page.getByRole('heading', { level: 2, name: t('inbox.asks.tool', { name: 'echo' }) })).toBeVisible()
  await expect(page.getByRole('button', { name: t('inbox.answers.once') })).toBeEnabled()
}

test.beforeEach(async ({ core, app }) => {
  await core.addEverything()
  await app.goto(`${core.url}/#/inbox`)
})

test('a call from the command line appears, is approved with the keyboard, and gets its result', async ({
  app,
  t,
  core,
}) => {
  await expect(app.getByRole('heading', { name: t('inbox.empty.title') })).toBeVisible()
  const call = core.echo('bonjour')
  await asked(app, t)
  await expect(app).toHaveTitle('(1) Apollia Connexions')
  await expect(app.getByRole('row', { name: 'message bonjour' })).toBeVisible()
  await app.keyboard.press('Control+Enter')
  expect(await answerOf(call)).toMatchObject({ code: 0, said: { ok: true, text: 'Echo: bonjour' } })
  await expect(app.getByRole('heading', { name: t('inbox.empty.title') })).toBeVisible()
  await expect(app).toHaveTitle('Apollia Connexions')
})

test('a denied call ends as denied', async ({ app, t, core }) => {
  const call = core.echo('bonjour')
  await asked(app, t)
  await app.keyboard.press('Escape')
  expect(await answerOf(call)).toMatchObject({ code: 4, said: { error: { code: 'approval_denied' } } })
  await expect(app.getByRole('link', { name: t('inbox.closed.denied') })).toBeVisible()
})

test('changed arguments are what is sent', async ({ app, t, core }) => {
  const call = core.echo('bonjour')
  await asked(app, t)
  await app.getByRole('button', { name: t('inbox.edit') }).click()
  await app.getByLabel(t('inbox.editLabel')).fill('{"message":"bonsoir"}')
  await app.getByRole('button', { name: t('inbox.editDone') }).click()
  await expect(app.getByText(t('inbox.edited', { count: 1 }))).toBeVisible()
  await app.getByRole('button', { name: t('inbox.answers.once') }).click()
  expect(await answerOf(call)).toMatchObject({ code: 0, said: { text: 'Echo: bonsoir' } })
})

test('always holds until it is revoked', async ({ app, t, core }) => {
  const first = core.echo('un')
  await asked(app, t)
  await app.keyboard.press('Alt+t')
  await app.getByRole('button', { name: t('inbox.alwaysPanel.go') }).click()
  expect(await answerOf(first)).toMatchObject({ code: 0, said: { text: 'Echo: un' } })
  expect(await answerOf(core.echo('deux', 0))).toMatchObject({ code: 0, said: { text: 'Echo: deux' } })
  await app.getByRole('link', { name: t('shell.sections.policy'), exact: true }).click()
  await app.getByRole('button', { name: t('policy.standing.revokeOf', { name: 'everything.echo' }) }).click()
  await expect(app.getByRole('heading', { name: t('policy.lists.approvals') })).toHaveCount(0)
  expect(await answerOf(core.echo('trois', 0))).toMatchObject({ code: 4, said: { error: { code: 'approval_needed' } } })
})

test('a request is announced elsewhere without taking the focus', async ({ app, t, core }) => {
  await app.getByRole('link', { name: t('shell.sections.activity'), exact: true }).click()
  const search = app.getByLabel(t('activity.search'))
  await search.focus()
  const call = core.echo('bonjour')
  await expect(app.getByText(t('shell.newRequests', { count: 1 }))).toBeVisible()
  await expect(search).toBeFocused()
  await app.getByRole('button', { name: t('shell.review') }).click()
  await asked(app, t)
  await app.keyboard.press('Escape')
  await call.ended
})

/** Starts a call in which the real server asks something, approves it, and waits for the question. */
async function questioned(page: Page, t: Words, core: Core): Promise<Program> {
  const call = core.command('mcp', 'call', 'everything', 'trigger-elicitation-request', '--wait', '120', '--json')
  const name = 'trigger-elicitation-request'
  await expect(page.getByRole('heading', { level: 2, name: t('inbox.asks.tool', { name }) })).toBeVisible()
  await expect(page.getByRole('button', { name: t('inbox.answers.once') })).toBeEnabled()
  await page.keyboard.press('Control+Enter')
  const asks = t('inbox.asks.question', { server: 'everything' })
  await expect(page.getByRole('heading', { level: 2, name: asks })).toBeFocused()
  await expect(page.getByRole('button', { name: t('inbox.question.answer', { name: 'everything' }) })).toBeEnabled()
  return call
}

test('the question of a real server is corrected and answered with the keyboard', async ({ app, t, core }) => {
  const call = await questioned(app, t, core)
  await expect(app.getByText(/Please provide inputs for the following fields:/)).toBeVisible()
  const email = app.getByRole('textbox', { name: /String with email format/ })
  await email.fill('lea@')
  await app.keyboard.press('Control+Enter')
  await expect(email).toHaveAttribute('aria-invalid', 'true')
  await email.fill('lea@acme.example')
  await app.getByRole('textbox').first().fill('Léa')
  await app.keyboard.press('Control+Enter')
  const { code, said } = await answerOf(call)
  expect(code).toBe(0)
  expect(said.text).toContain('lea@acme.example')
  expect(said.text).toContain('Léa')
  expect(said.text).toContain('It was a dark and stormy night.')
  await expect(app.getByRole('link', { name: t('inbox.question.answered') })).toBeVisible()
})

test('a question is declined with Escape, and the server hears it', async ({ app, t, core }) => {
  const call = await questioned(app, t, core)
  await app.keyboard.press('Escape')
  const { code, said } = await answerOf(call)
  expect(code).toBe(0)
  expect(said.text).toContain('declined')
})

test('a page of a real server is opened by the person alone, then the call goes on', async ({ app, t, core }) => {
  const call = core.command(
    ...['mcp', 'call', 'everything', 'trigger-url-elicitation', '--wait', '120', '--json'],
    ...['--args', JSON.stringify({ url: `${core.url}/?from=everything` })],
  )
  const name = 'trigger-url-elicitation'
  await expect(app.getByRole('heading', { level: 2, name: t('inbox.asks.tool', { name }) })).toBeVisible()
  await expect(app.getByRole('button', { name: t('inbox.answers.once') })).toBeEnabled()
  await app.keyboard.press('Control+Enter')
  const asks = t('inbox.asks.page', { server: 'everything' })
  await expect(app.getByRole('heading', { level: 2, name: asks })).toBeFocused()
  await expect(app.getByText(t('inbox.page.sign.own_network'))).toBeVisible()
  await expect(app.getByRole('button', { name: t('inbox.page.openAnyway') })).toBeEnabled()
  const opening = app.context().waitForEvent('page')
  await app.keyboard.press('Control+Enter')
  const page = await opening
  await page.waitForURL(/from=everything/)
  expect(await page.evaluate(() => window.opener === null)).toBe(true)
  const { code, said } = await answerOf(call)
  expect(code).toBe(0)
  expect(said.text).toContain('User completed the URL elicitation flow')
})
