import type { Page } from '@playwright/test'
import type { Words } from '../harness/words'
import { now } from './fixtures/clock'
import { origin, pretend, type Answers } from './pretend'

/** One screen in one state: where it is, what the core answers there, and what is done to get it. */
export interface Screen {
  /** NAME-STATE, as the picture's file is called. */
  name: string
  /** The address after the "#". */
  path: string
  answers?: Answers
  /** Brings the page into the state, and waits for what proves it. */
  reach: (page: Page, t: Words) => Promise<void>
  /** Its picture is taken in English, too: what has many words, and asks a person to decide. */
  english?: true
  /** What the page says in the console when it is right, such as for a status 500. */
  complains?: RegExp
}

export const sizes = [
  { width: 900, height: 600 },
  { width: 1100, height: 760 },
  { width: 1600, height: 1000 },
] as const
export type Size = (typeof sizes)[number]

/** Prepares a page for screens: the pretended core and a clock that stands still. */
export async function prepare(page: Page, screen: Screen): Promise<void> {
  await page.clock.setFixedTime(now)
  await page.addInitScript(() => {
    if (location.protocol !== 'about:') localStorage.clear()
  })
  await pretend(page, screen.answers ?? {})
}

/** Opens a screen afresh in the size of the window and the colours that are set. */
export async function show(page: Page, screen: Screen, t: Words): Promise<void> {
  await page.goto('about:blank')
  await page.goto(`${origin}/#${screen.path}`)
  await screen.reach(page, t)
  await page.evaluate(() => document.fonts.ready)
}
