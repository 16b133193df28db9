import { card, ready } from '../harness/connexions'
import { processesAtHome } from '../harness/processes'
import { expect, test } from '../harness/test'

test('the palette finds a server by a few letters and opens it', async ({ app, t, core }) => {
  await core.addEverything()
  await ready(app, t, 'everything')
  await app.keyboard.press('Control+k')
  await app.keyboard.type('everyth')
  await expect(app.getByRole('option').first()).toBeVisible()
  await expect(app.getByRole('option', { name: 'everything', exact: false }).first()).toBeVisible()
  await app.keyboard.press('Enter')
  await expect(app.getByRole('heading', { level: 1, name: 'everything' })).toBeVisible()
  await expect(app.getByRole('dialog')).toHaveCount(0)
})

test('keys lead everywhere, and one lists them', async ({ app, t }) => {
  await expect(app.getByRole('heading', { name: t('firstRun.title') })).toBeVisible()
  const sections = ['inbox', 'activity', 'policy', 'settings', 'connexions']
  const keys = ['2', '3', '4', '5', '1']
  for (const [n, section] of sections.entries()) {
    await app.keyboard.press(`Control+${keys[n] ?? ''}`)
    await expect(app.getByRole('link', { name: t(`shell.sections.${section}`), exact: true })).toHaveAttribute(
      'aria-current',
      'page',
    )
  }
  await app.keyboard.press('?')
  await expect(app.getByRole('dialog', { name: t('shortcuts.title') })).toBeVisible()
  await app.keyboard.press('Escape')
  await expect(app.getByRole('dialog')).toHaveCount(0)
})

test('the first run teaches, gives way to the list, and comes back', async ({ app, t, core }) => {
  await expect(app.getByText(t('firstRun.telemetry'))).toBeVisible()
  await app.getByRole('link', { name: t('firstRun.try.link') }).click()
  await expect(app.getByLabel(t('wizard.paste.title'))).toHaveValue('npx -y @modelcontextprotocol/server-everything')
  await app.goto(core.url)
  await core.addEverything()
  const row = await ready(app, t, 'everything')
  await row.getByRole('button', { name: t('connexions.menu.label', { name: 'everything' }) }).click()
  await app.getByRole('menuitem', { name: t('connexions.menu.remove') }).click()
  await expect(app.getByRole('heading', { name: t('firstRun.title') })).toBeVisible()
  await app.getByRole('button', { name: t('common.undo') }).click()
  await ready(app, t, 'everything')
})

test('a server is switched off and on from its card', async ({ app, t, core }) => {
  await core.addEverything()
  const row = await ready(app, t, 'everything')
  await row.focus()
  await app.keyboard.press('Space')
  await expect(row.getByText(t('states.off'), { exact: true })).toBeVisible()
  await app.keyboard.press('Space')
  await ready(app, t, 'everything')
})

test('when the core is killed the page says so, and goes on when it is back', async ({ app, t, core, watch }) => {
  watch.allow(
    /ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_EMPTY_RESPONSE|ERR_SOCKET_NOT_CONNECTED/,
  )
  await core.addEverything()
  await ready(app, t, 'everything')
  await core.kill()
  const dialog = app.getByRole('alertdialog', { name: t('unreachable.title') })
  await expect(dialog).toBeVisible()
  await expect(card(app, 'everything')).toBeVisible()
  await core.start()
  await dialog.getByRole('button', { name: t('common.retry') }).click()
  await expect(dialog).toHaveCount(0)
  await ready(app, t, 'everything')
  expect(processesAtHome(core.home)).toHaveLength(2) // the core and its one server: the one of before is gone
})
