import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { test } from '../harness/test'
import { screenshotFolder } from '../harness/paths'
import type { Words } from '../harness/words'
import { timeZone } from './fixtures/clock'
import { screens } from './list'
import { prepare, show, sizes, type Screen } from './screen'

test.use({ timezoneId: timeZone })

async function pictures(page: Page, screen: Screen, t: Words, name = screen.name): Promise<void> {
  mkdirSync(screenshotFolder, { recursive: true })
  await prepare(page, screen)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    for (const size of sizes) {
      await page.setViewportSize(size)
      await show(page, screen, t)
      const path = join(screenshotFolder, `${name}-${colorScheme}-${size.width}x${size.height}.png`)
      await page.screenshot({ path, animations: 'disabled', caret: 'hide' })
    }
  }
}

for (const screen of screens) {
  test(screen.name, async ({ page, t, watch }) => {
    if (screen.complains) watch.allow(screen.complains)
    await pictures(page, screen, t)
  })
}

test.describe('in English', () => {
  test.use({ locale: 'en-GB' })
  for (const screen of screens.filter(({ english }) => english)) {
    test(`${screen.name} in English`, ({ page, t }) => pictures(page, screen, t, `${screen.name}-en`))
  }
})
