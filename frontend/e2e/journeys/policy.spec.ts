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
