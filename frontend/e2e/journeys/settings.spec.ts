import { expect, test } from '../harness/test'

test('language and theme change at once and stay', { tag: '@once' }, async ({ app, core }) => {
  await app.goto(`${core.url}/#/settings`)
  await app.getByRole('radio', { name: 'English' }).click()
  await expect(app.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()
  await app.getByRole('radio', { name: 'Dark' }).click()
  await expect(app.locator('html')).toHaveAttribute('data-theme', 'dark')
  await app.reload()
  await expect(app.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()
  await expect(app.locator('html')).toHaveAttribute('data-theme', 'dark')
  await expect(app.locator('html')).toHaveAttribute('lang', 'en')
  const { settings } = await core.json<{ settings: { key: string; value: string }[] }>('settings', 'get')
  expect(settings).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ key: 'ui.language', value: 'en' }),
      expect.objectContaining({ key: 'ui.theme', value: 'dark' }),
    ]),
  )
})

test('settings say where things are kept and that nothing is sent', async ({ app, t, core }) => {
  await app.goto(`${core.url}/#/settings`)
  await expect(app.getByText(core.data, { exact: true }).first()).toBeVisible()
  await expect(app.getByText(t('settings.noTelemetry'))).toBeVisible()
  await expect(app.getByText(t('settings.doctor.checks.keyring')).first()).toBeVisible()
  await app.getByLabel(t('settings.search')).fill(t('settings.theme'))
  await expect(app.getByText(t('settings.language'), { exact: true })).toBeVisible()
  await expect(app.getByText(t('settings.sections.data'), { exact: true })).toHaveCount(0)
})
