import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { ready } from '../harness/connexions'
import { screenshotFolder } from '../harness/paths'
import { ServerPage } from '../harness/server-page'
import { expect, test } from '../harness/test'
import { Wizard } from '../harness/wizard'

async function picture(page: Page, name: string): Promise<void> {
  mkdirSync(screenshotFolder, { recursive: true })
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.screenshot({ path: join(screenshotFolder, `real-${name}-${colorScheme}-1100x760.png`), caret: 'hide' })
  }
}

/** The main job with nothing pretended: the core, a real server, and its answers. */
test('the main job, in pictures', async ({ app, t }) => {
  const wizard = new Wizard(app, t)
  await expect(app.getByRole('heading', { name: t('firstRun.title') })).toBeVisible()
  await picture(app, 'firstrun')
  await wizard.open()
  await wizard.toParameters('stdio')
  await wizard.program('everything', 'mcp-server-everything', 'stdio')
  await expect(wizard.button('wizard.test.go')).toBeEnabled()
  await picture(app, 'parameters')
  await wizard.test()
  await wizard.passed()
  await picture(app, 'test')
  await wizard.button('wizard.continue').click()
  await expect(wizard.button('wizard.add')).toBeVisible()
  await picture(app, 'disclaimer')
  await wizard.add()
  const row = await ready(app, t, 'everything')
  await row.click()
  await expect(row.getByText('resource-prompt')).toBeVisible()
  await picture(app, 'connexions')
  await row.getByRole('button', { name: t('connexions.actions.try') }).click()
  const server = new ServerPage(app, t)
  await server.open('echo')
  await server.fill('message', 'bonjour')
  await server.call('server.form.call')
  await expect(server.result.getByRole('button', { name: t('inbox.answers.once'), exact: true })).toBeEnabled()
  await picture(app, 'approval')
  await server.approve()
  await picture(app, 'result')
})
