import { expect, type Locator, type Page } from '@playwright/test'
import type { Words } from './words'

export type Tab = 'tools' | 'resources' | 'prompts' | 'logs' | 'settings'

/** The page of one server, used with the mouse. */
export class ServerPage {
  constructor(
    readonly page: Page,
    private readonly t: Words,
  ) {}

  async tab(name: Tab): Promise<void> {
    await this.page.getByRole('tab', { name: this.t(`server.tabs.${name}`) }).click()
  }

  /** Opens a tool, a resource or a prompt from the list at the left. */
  async open(name: string): Promise<void> {
    await this.page.getByRole('tabpanel').getByRole('navigation').getByRole('button', { name, exact: true }).click()
  }

  /** Fills an argument; where the server proposes values it is a text with a list. */
  async fill(field: string, value: string): Promise<void> {
    const panel = this.page.getByRole('tabpanel')
    const named = { name: field, exact: true }
    await panel.getByRole('textbox', named).or(panel.getByRole('combobox', named)).fill(value)
  }

  /** Presses the button that calls, which says what it does: "server.form.call" and its like. */
  async call(verb: string): Promise<void> {
    await this.page.getByRole('button', { name: this.t(verb) }).click()
  }

  get result(): Locator {
    return this.page.getByRole('region', { name: this.t('server.result.title') })
  }

  /** Gives the consent that the call waits for, in place. */
  async consent(): Promise<void> {
    await this.result.getByRole('button', { name: this.t('inbox.answers.once'), exact: true }).click()
  }

  /** Gives it to a call that then succeeds. */
  async approve(): Promise<void> {
    await this.consent()
    await this.outcome('succeeded')
  }

  async outcome(name: string): Promise<void> {
    await expect(this.result.getByText(this.t(`server.result.outcomes.${name}`), { exact: true })).toBeVisible()
  }
}
