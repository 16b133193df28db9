import { expect, test } from '../harness/test'

test('calls appear as they happen, with how they ended and why', async ({ app, t, core }) => {
  await core.addEverything()
  await app.getByRole('link', { name: t('shell.sections.activity') }).click()
  const added = app.getByText(t('activity.deeds.server.added', { server: 'everything' }))
  await expect(added).toBeVisible()
  await expect(app.getByText(t('activity.chain.whole'))).toBeVisible()

  await core.echo('bonjour', 0).ended
  const row = app.getByRole('button').filter({ hasText: 'everything.echo' })
  await expect(row).toBeVisible()
  await row.focus()
  await app.keyboard.press('Enter')
  const call = app.getByRole('complementary', { name: t('activity.detail.label', { name: 'echo' }) })
  await expect(call.getByText(t('activity.detail.result'), { exact: true })).toBeVisible()
  await call.getByRole('button', { name: t('activity.detail.replay') }).click()
  await expect(app.getByRole('textbox', { name: /message/ })).toHaveValue('bonjour')
  await expect(app.getByText(t('server.result.notCalled'))).toBeVisible()
  await app.goBack()
  await call.getByRole('button', { name: t('common.close') }).click()
  await expect(call).toHaveCount(0)
  await app.goto(`${core.url}/#/activity?kind=call`)
  await expect(row).toBeVisible()
  await expect(added).toHaveCount(0)

  await app.goto(`${core.url}/#/activity?client=nobody`)
  await expect(app.getByRole('heading', { name: t('activity.empty.filtered') })).toBeVisible()
  await app.getByRole('button', { name: t('activity.empty.clear') }).click()
  await expect(row).toBeVisible()
})
