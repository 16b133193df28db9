import { expect, type Locator, type Page } from '@playwright/test'
import type { Words } from './words'

/** The card of a server in the list. */
export const card = (page: Page, name: string): Locator =>
  page.locator('[data-row]').filter({ has: page.getByText(name, { exact: true }) })

/** Waits until a server's card says that it is ready: the word beside the green light. */
export async function ready(page: Page, t: Words, name: string): Promise<Locator> {
  const found = card(page, name)
  await expect(found.getByText(t('states.ready'), { exact: true })).toBeVisible()
  return found
}
