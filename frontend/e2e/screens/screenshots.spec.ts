import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from '../harness/test'
import { screenshotFolder } from '../harness/paths'
import { timeZone } from './fixtures/clock'
import { screens } from './list'
import { prepare, show, sizes } from './screen'

test.use({ timezoneId: timeZone })

for (const screen of screens) {
  test(screen.name, async ({ page, t, watch }) => {
    if (screen.complains) watch.allow(screen.complains)
    mkdirSync(screenshotFolder, { recursive: true })
    await prepare(page, screen)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      for (const size of sizes) {
        await page.setViewportSize(size)
        await show(page, screen, t)
        const path = join(screenshotFolder, `${screen.name}-${colorScheme}-${size.width}x${size.height}.png`)
        await page.screenshot({ path, animations: 'disabled', caret: 'hide' })
      }
    }
  })
}
