import { expect, type Page } from '@playwright/test'
import type { Words } from '../../harness/words'

type Facts = Record<string, string | number>
export type Reach = (page: Page, t: Words) => Promise<void>

/** Waits for a text of the interface. */
export const says =
  (key: string, facts?: Facts): Reach =>
  (page, t) =>
    expect(page.getByText(t(key, facts), { exact: true }).filter({ visible: true }).first()).toBeVisible()

/** Waits for a sentence among others in one paragraph. */
export const mentions =
  (key: string, facts?: Facts): Reach =>
  (page, t) =>
    expect(page.getByText(t(key, facts)).filter({ visible: true }).first()).toBeVisible()

/** Waits for a text that is not the interface's own, such as the name of a server. */
export const shows =
  (text: string): Reach =>
  (page) =>
    expect(page.getByText(text, { exact: true }).filter({ visible: true }).first()).toBeVisible()

/** Waits for the bones of what loads. */
export const loads: Reach = (page) => expect(page.locator('[aria-busy=true] i').first()).toBeVisible()

/** Waits for a failure on the page. */
export const fails: Reach = (page) => expect(page.getByRole('alert').first()).toBeVisible()

/** Presses a button once it can be pressed. */
export const presses =
  (key: string, facts?: Facts): Reach =>
  async (page, t) => {
    await page
      .getByRole('button', { name: t(key, facts) })
      .filter({ visible: true })
      .first()
      .click()
  }

/** One after the other. */
export const then =
  (...steps: Reach[]): Reach =>
  async (page, t) => {
    for (const step of steps) await step(page, t)
  }
