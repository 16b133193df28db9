import type { Page } from '@playwright/test'
import { expect, test } from '../harness/test'
import { ServerPage } from '../harness/server-page'
import type { Words } from '../harness/words'

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('dialog').getByLabel(label, { exact: true }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

async function forbidsEcho(page: Page, t: Words): Promise<void> {
  await page.getByRole('button', { name: t('policy.new.open') }).click()
  await choose(page, t('policy.new.verdict'), t('verdicts.deny'))
  await choose(page, t('policy.new.server'), 'everything')
  await page.getByRole('dialog').getByLabel(t('policy.new.action'), { exact: true }).fill('echo')
  await page.getByRole('button', { name: t('policy.new.save') }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

test('a new rule forbids a tool, says why, and can be taken back', async ({ app, t, core }) => {
  await core.addEverything()
  await app.getByRole('link', { name: t('shell.sections.policy') }).click()
  await expect(app.getByText(t('policy.defaults.name'))).toBeVisible()
  await forbidsEcho(app, t)
  const rule = app.getByRole('listitem').filter({ hasText: 'everything.echo' })
  await expect(rule.getByText(t('verdicts.deny'))).toBeVisible()

  const call = await core.run('mcp', 'call', 'everything', 'echo', '--args', '{"message":"non"}', '--json')
  expect(call.code).toBe(4)
  expect(JSON.parse(call.output)).toMatchObject({ error: { code: 'denied' } })

  await app.goto(`${core.url}/#/servers/everything`)
  const server = new ServerPage(app, t)
  await server.open(`echo ${t('server.tools.denied')}`)
  await server.fill('message', 'non')
  await server.call('server.form.call')
  await server.outcome('refused_by_rule')
  await server.result.getByRole('link', { name: t('server.result.why') }).click()
  const why = app.getByRole('complementary', { name: t('policy.why.title') })
  await expect(why.getByText(t('policy.why.means.deny'))).toBeVisible()
  await expect(why.getByText('apollia policy explain')).toBeVisible()

  await rule.getByRole('button').click()
  await app.getByRole('menuitem', { name: t('policy.rule.remove') }).click()
  await expect(why.getByText(t('policy.why.means.ask'))).toBeVisible()
})

test('one press stops every call, and another lets them go on', async ({ app, t, core }) => {
  await core.addEverything()
  const waits = core.echo('bonjour')
  await expect(app.getByRole('button', { name: t('shell.review') })).toBeVisible()
  await app.keyboard.press('Control+.')
  await expect(app.getByText(t('halt.stopped', { count: 1 }))).toBeVisible()
  await waits.ended
  expect(waits.code).toBe(1)
  expect(JSON.parse(waits.output)).toMatchObject({ error: { code: 'canceled', args: { reason: 'calls_stopped' } } })

  const refused = core.echo('encore', 0)
  await refused.ended
  expect(refused.code).toBe(4)
  expect(JSON.parse(refused.output)).toMatchObject({ error: { code: 'calls_stopped' } })

  await app.getByRole('button', { name: t('halt.resume') }).click()
  await expect(app.getByText(t('halt.stopped', { count: 1 }))).toHaveCount(0)
  const asked = core.echo('encore', 0)
  await asked.ended
  expect(JSON.parse(asked.output)).toMatchObject({ error: { code: 'approval_needed' } })
})
