import type { Page } from '@playwright/test'

/** What is wrong with the layout of the page as it stands, in words; nothing when all is well. */
export const layoutFaults = (page: Page): Promise<string[]> => page.evaluate(findFaults)

/** Runs in the page. */
function findFaults(): string[] {
  const faults: string[] = []
  const interactive =
    'a[href], button, input, select, textarea, [role=button], [role=switch], [role=checkbox], [role=radio], [role=tab], [role=menuitem], [role=option]'

  const words = (element: Element): string => {
    const text = (element.getAttribute('aria-label') ?? element.textContent).replaceAll(/\s+/g, ' ').trim().slice(0, 60)
    return `<${element.tagName.toLowerCase()}> “${text}”`
  }
  const clips = (element: Element): boolean => getComputedStyle(element).overflow !== 'visible'

  /** The part of an element that its scrolling and clipping ancestors leave to be seen. */
  function seen(element: Element): DOMRect | undefined {
    const style = getComputedStyle(element)
    if (style.visibility === 'hidden' || Number(style.opacity) === 0) return undefined
    let { left, top, right, bottom } = element.getBoundingClientRect()
    for (let above = element.parentElement; above; above = above.parentElement) {
      if (Number(getComputedStyle(above).opacity) === 0) return undefined
      if (!clips(above)) continue
      const frame = above.getBoundingClientRect()
      left = Math.max(left, frame.left)
      top = Math.max(top, frame.top)
      right = Math.min(right, frame.right)
      bottom = Math.min(bottom, frame.bottom)
    }
    return right - left > 2 && bottom - top > 2 ? new DOMRect(left, top, right - left, bottom - top) : undefined
  }

  /** A tooltip or a title tells the whole of a text that is cut. */
  function told(element: Element): boolean {
    if (element.closest('[title]')) return true
    const trigger = element.closest('[data-state=closed], [data-state=delayed-open], [data-state=instant-open]')
    return trigger !== null && !trigger.hasAttribute('aria-haspopup') && !trigger.hasAttribute('aria-expanded')
  }

  function judgeText(element: Element): void {
    const style = getComputedStyle(element)
    if (element.clientWidth <= 1 || element.textContent.trim() === '' || !seen(element)) return
    const tooWide = ['hidden', 'clip'].includes(style.overflowX) && element.scrollWidth > element.clientWidth + 1
    const tooHigh = ['hidden', 'clip'].includes(style.overflowY) && element.scrollHeight > element.clientHeight + 3
    if ((tooWide || tooHigh) && !told(element)) faults.push(`cut without a tooltip: ${words(element)}`)
  }

  /** What scrolls sideways must be reachable by keys, as code is; a pane must not. */
  function judgeWidth(element: HTMLElement): void {
    const { overflowX } = getComputedStyle(element)
    if (!['auto', 'scroll'].includes(overflowX) || element.tabIndex >= 0 || !seen(element)) return
    const wider = element.scrollWidth - element.clientWidth
    if (wider > 1) faults.push(`scrolls sideways by ${wider} px: ${words(element)}`)
  }

  function judgePlace(element: Element): void {
    const shown = seen(element)
    if (shown && (shown.left < -1 || shown.right > innerWidth + 1))
      faults.push(`outside of the window: ${words(element)}`)
  }

  /** What lies over the middle of a place and is neither the element itself nor part of it. */
  function over(element: Element, place: DOMRect): Element | undefined {
    const top = document.elementFromPoint(place.left + place.width / 2, place.top + place.height / 2)
    return !top || element.contains(top) || top.contains(element) ? undefined : top
  }

  /** A pane, a banner or a message that lies over the page on purpose. */
  function floats(top: Element, under: Element): boolean {
    for (let above: Element | null = top; above && !above.contains(under); above = above.parentElement) {
      const { position, zIndex } = getComputedStyle(above)
      if ((position === 'absolute' || position === 'fixed') && Number(zIndex) >= 10) return true
    }
    return false
  }

  /** Interactive elements that cover each other. In a dialog only what is in it can be used. */
  function judgeOverlaps(): void {
    const top = [...document.querySelectorAll('[role=dialog], [role=alertdialog], [role=menu], [role=listbox]')].at(-1)
    const all = [...(top ?? document.body).querySelectorAll(interactive)].filter(
      (element) => !element.closest('[aria-hidden=true]'),
    )
    const places: { element: Element; place: DOMRect }[] = []
    for (const element of all) {
      const place = seen(element)
      if (!place) continue
      const covered = over(element, place)
      if (covered === undefined) places.push({ element, place })
      else if (!floats(covered, element)) faults.push(`covered: ${words(element)} by ${words(covered)}`)
    }
    for (const [n, a] of places.entries()) {
      for (const b of places.slice(n + 1)) {
        if (a.element.contains(b.element) || b.element.contains(a.element)) continue
        const width = Math.min(a.place.right, b.place.right) - Math.max(a.place.left, b.place.left)
        const height = Math.min(a.place.bottom, b.place.bottom) - Math.max(a.place.top, b.place.top)
        if (width <= 1 || height <= 1) continue
        const middle = new DOMRect(
          Math.max(a.place.left, b.place.left),
          Math.max(a.place.top, b.place.top),
          width,
          height,
        )
        const top = [over(a.element, middle), over(b.element, middle)]
        if (!top.some((one, n) => one && floats(one, n === 0 ? a.element : b.element)))
          faults.push(`one over the other: ${words(a.element)} and ${words(b.element)}`)
      }
    }
  }

  const page = document.documentElement
  if (page.scrollWidth > innerWidth) faults.push(`the page is ${page.scrollWidth - innerWidth} px too wide`)
  if (page.scrollHeight > innerHeight) faults.push(`the page is ${page.scrollHeight - innerHeight} px too high`)
  for (const element of document.body.querySelectorAll('*')) {
    if (element.closest('svg') && element.tagName !== 'svg') continue
    judgeText(element)
    judgePlace(element)
    if (element instanceof HTMLElement) judgeWidth(element)
  }
  judgeOverlaps()
  return [...new Set(faults)]
}
