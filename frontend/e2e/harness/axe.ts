import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import type { AxeResults, RunOptions } from 'axe-core'

const { source } = createRequire(import.meta.url)('axe-core') as { source: string }

/** A menu is open: it lies outside of all landmarks, as menus do everywhere. */
const menu = '[role=menu]'

const everything: RunOptions = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  resultTypes: ['violations'],
}
/** What can differ from one theme to the other. */
const colours: RunOptions = {
  runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
  resultTypes: ['violations'],
}

/** What axe finds wrong with the page, in words; nothing when all is well. */
export async function violations(page: Page, only: 'everything' | 'colours' = 'everything'): Promise<string[]> {
  await page.evaluate(source)
  const results = await page.evaluate(
    (options) => (window as unknown as { axe: { run: (options: unknown) => Promise<AxeResults> } }).axe.run(options),
    only === 'colours'
      ? colours
      : { ...everything, rules: { region: { enabled: !(await page.locator(menu).count()) } } },
  )
  return results.violations.flatMap(({ id, help, nodes }) =>
    nodes.map(
      ({ html, failureSummary = '' }) => `${id}: ${help}: ${html.slice(0, 200)} ${failureSummary.slice(0, 300)}`,
    ),
  )
}
