import type { ConsoleMessage, Page } from '@playwright/test'
import { roots } from './words'

/** What the browser says by itself when the core refuses something: an answer, not a fault of the page. */
const refusal = /the server responded with a status of 4\d\d/
const ofTheCore = /\/api\//

/** Notes every console error, every uncaught error and every text that was meant for the program, on one page. */
export class Watch {
  readonly complaints: string[] = []
  private listening = true
  private readonly allowed: RegExp[] = []

  /** Call it before the page opens anything. */
  async follow(page: Page): Promise<void> {
    page.on('pageerror', (error) => this.note(`uncaught: ${error.stack ?? error.message}`))
    page.on('console', (message) => this.hear(message))
    await page.addInitScript(reportRawTexts, roots)
  }

  /** Says that a test provokes this very complaint. */
  allow(complaint: RegExp): void {
    this.allowed.push(complaint)
  }

  stop(): void {
    this.listening = false
  }

  private hear(message: ConsoleMessage): void {
    if (!['error', 'warning'].includes(message.type())) return
    const { url } = message.location()
    if (refusal.test(message.text()) && ofTheCore.test(url)) return
    this.note(`${message.type()}: ${message.text()} (${url})`)
  }

  private note(complaint: string): void {
    if (this.listening && !this.allowed.some((allowed) => allowed.test(complaint))) this.complaints.push(complaint)
  }
}

/**
 * Runs in the page: reports texts that show a key, a fact that was not filled in, or a value of the program. Machine
 * text may contain anything, so what is set in the machine's type is left alone.
 */
function reportRawTexts(keyRoots: string[]): void {
  const raw = new RegExp(
    `\\b(?:${keyRoots.join('|')})\\.(?!(?:key|toml|json|log)\\b)[a-z]\\w*(?:\\.\\w+)*|\\{\\{|\\[object |\\bundefined\\b|\\bNaN\\b|\\bInvalid Date\\b`,
  )
  const machine = 'code, pre, .mono, .font-code, textarea, [data-log]'
  const spoken = ['aria-label', 'title', 'placeholder', 'alt']
  const said = new Set<string>()
  const judge = (text: string | null): void => {
    if (text === null || !raw.test(text) || said.has(text)) return
    said.add(text)
    console.error(`raw text on the page: ${text}`)
  }
  const look = (node: Node): void => {
    if (node instanceof Text && !node.parentElement?.closest(machine)) judge(node.data)
    if (!(node instanceof Element)) return
    for (const name of spoken) judge(node.getAttribute(name))
    for (const child of node.childNodes) look(child)
  }
  new MutationObserver((changes) => {
    for (const { target, addedNodes } of changes)
      for (const node of [target, ...addedNodes])
        if (node !== document.documentElement && node !== document.body) look(node)
  }).observe(document, { subtree: true, childList: true, characterData: true, attributeFilter: spoken })
}
