import { violations } from '../harness/axe'
import { unseenFocus } from '../harness/keyboard'
import { expect, test } from '../harness/test'
import { timeZone } from './fixtures/clock'
import { layoutFaults } from './layout'
import { screens } from './list'
import { prepare, show, sizes } from './screen'

test.use({ timezoneId: timeZone })

for (const screen of screens) {
  test(`${screen.name} has its place, its words and its names`, async ({ page, t, lang, watch }) => {
    if (screen.complains) watch.allow(screen.complains)
    await prepare(page, screen)
    const faults: Record<string, string[]> = {}
    // English is the shorter one: it is looked at where there is least room.
    for (const size of lang === 'fr' ? sizes : sizes.slice(0, 2)) {
      await page.setViewportSize(size)
      await show(page, screen, t)
      faults[`${size.width}x${size.height}`] = await layoutFaults(page)
    }
    if (lang === 'fr') {
      faults.light = await violations(page)
      await page.emulateMedia({ colorScheme: 'dark' })
      faults.dark = await violations(page, 'colours')
      faults.focus = await unseenFocus(page)
    }
    expect(Object.entries(faults).filter(([, some]) => some.length > 0)).toEqual([])
  })
}
