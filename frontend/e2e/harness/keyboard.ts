import { expect, type Locator, type Page } from '@playwright/test'

/** Moves with keys alone, and checks at each stop that a person can see where they are. */
export class Keyboard {
  private constructor(private readonly page: Page) {}

  /** The page then counts every press of a pointer, so that the test can show that there was none. */
  static async of(page: Page): Promise<Keyboard> {
    await page.evaluate(() => {
      document.documentElement.dataset.presses = '0'
      const count = (): void => {
        const { dataset } = document.documentElement
        dataset.presses = String(Number(dataset.presses) + 1)
      }
      window.addEventListener('pointerdown', count, true)
    })
    return new Keyboard(page)
  }

  /** Presses Tab until the wanted element has the focus; at most once around the page. */
  async tabTo(wanted: Locator, back = false): Promise<void> {
    for (let stops = 0; stops < 80; stops++) {
      if (await hasFocus(wanted)) return
      await this.page.keyboard.press(back ? 'Shift+Tab' : 'Tab')
      expect(await this.page.evaluate(focusIsSeen), 'the focus can be seen').toEqual('seen')
    }
    await expect(wanted).toBeFocused()
  }

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key)
  }

  /** Holds a key as a finger does, until what it does is done. */
  async hold(key: string, done: () => Promise<unknown>): Promise<void> {
    await this.page.keyboard.down(key)
    await done()
    await this.page.keyboard.up(key)
  }

  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text)
  }

  async expectNoPointer(): Promise<void> {
    await expect(this.page.locator('html')).toHaveAttribute('data-presses', '0')
  }
}

const hasFocus = (wanted: Locator): Promise<boolean> =>
  wanted
    .first()
    .evaluate((element) => element === document.activeElement)
    .catch(() => false)

/** The interactive elements of a page whose focus cannot be seen. Focusing may open things, so it comes last. */
export async function unseenFocus(page: Page): Promise<string[]> {
  await page.keyboard.press('Tab') // from here on the browser shows the focus, as for a person at the keyboard
  await page.evaluate(`window.focusIsSeen = ${focusIsSeen.toString()}`)
  return page.evaluate(() => {
    const { focusIsSeen: judge } = window as unknown as { focusIsSeen: () => string }
    const top = [...document.querySelectorAll('[role=dialog], [role=alertdialog]')].at(-1) ?? document.body
    const stops = [...top.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea, [tabindex="0"]')]
    if (stops.length === 1) return [] // the one field of the palette always has the focus
    const unseen = stops.filter((stop) => {
      stop.focus()
      return stop === document.activeElement && judge() !== 'seen'
    })
    return unseen.map((stop) => `its focus is not seen: ${stop.outerHTML.slice(0, 200)}`).slice(0, 5)
  })
}

/** Runs in the page: whether the element with the focus, or the frame around it, wears the colour of the focus. */
function focusIsSeen(): string {
  const probe = document.createElement('i')
  probe.style.color = 'var(--focus)'
  document.body.append(probe)
  const colour = getComputedStyle(probe).color
  probe.remove()
  let element = document.activeElement
  if (element === null || element === document.body) return 'seen' // between the last stop and the first
  for (let frames = 0; element !== null && frames < 3; frames++, element = element.parentElement) {
    if (getComputedStyle(element).boxShadow.includes(colour)) return 'seen'
  }
  return `not seen: ${document.activeElement?.outerHTML.slice(0, 200) ?? ''}`
}
