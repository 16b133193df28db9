import { expect, type Locator, type Page } from '@playwright/test'
import type { Words } from './words'

export type Transport = 'stdio' | 'streamable_http' | 'sse'
export type Step = 'transport' | 'auth' | 'parameters' | 'test' | 'disclaimer'

/** The five steps of adding a server, done with the mouse as a person does them. */
export class Wizard {
  constructor(
    readonly page: Page,
    private readonly t: Words,
  ) {}

  /** Opens it from the list, or from the page of the first run. */
  async open(): Promise<void> {
    await this.button('connexions.add').click()
    await expect(this.page.getByRole('heading', { level: 1 })).toHaveText(this.t('wizard.head.transport.title'))
  }

  button(key: string, args?: Record<string, string | number>): Locator {
    return this.page.getByRole('button', { name: this.t(key, args), exact: true })
  }

  field(key: string): Locator {
    return this.page.getByRole('main').getByLabel(this.t(key), { exact: true })
  }

  get title(): Locator {
    return this.page.getByRole('heading', { level: 1 })
  }

  async paste(text: string): Promise<void> {
    await this.field('wizard.paste.title').fill(text)
  }

  async choose(transport: Transport): Promise<void> {
    await this.page.getByRole('radio', { name: this.t(`wizard.transports.${transport}.name`), exact: true }).click()
  }

  async toParameters(transport: Transport): Promise<void> {
    await this.choose(transport)
    await this.button('wizard.continue').click()
    await expect(this.title).toHaveText(this.t('wizard.head.auth.title'))
    if (transport !== 'stdio') await this.page.getByRole('radio', { name: this.t('wizard.auth.none.name') }).click()
    await this.button('wizard.continue').click()
    await expect(this.title).toHaveText(
      this.t(transport === 'stdio' ? 'wizard.head.stdio.title' : 'wizard.head.http.title'),
    )
  }

  /** Fills the page of a local program. */
  async program(name: string, command: string, ...args: string[]): Promise<void> {
    await this.field('wizard.name').fill(name)
    await this.field('wizard.command').fill(command)
    for (const [n, arg] of args.entries()) {
      await this.button('wizard.args.add').click()
      await this.page.getByLabel(this.t('wizard.args.one', { n: n + 1 }), { exact: true }).fill(arg)
    }
  }

  /** Fills the page of a remote server. */
  async address(name: string, url: string): Promise<void> {
    await this.field('wizard.name').fill(name)
    await this.field('wizard.url').fill(url)
  }

  /** The start-up limit, in seconds. */
  async limit(seconds: number): Promise<void> {
    await this.page.getByRole('button', { name: this.t('wizard.advanced.title') }).click()
    await this.field('wizard.timeout').fill(String(seconds))
  }

  async test(): Promise<void> {
    // The step that was open before is a link of the same name.
    await this.page
      .getByRole('main')
      .getByRole('button', { name: this.t('wizard.test.go'), exact: true })
      .click()
  }

  /** One row of the test. */
  row(step: string): Locator {
    const name = this.page.getByText(this.t(`wizard.test.step.${step}`), { exact: true })
    return this.page
      .getByRole('list', { name: this.t('wizard.test.steps') })
      .getByRole('listitem')
      .filter({ has: name })
  }

  /** Waits until the test has passed. */
  async passed(): Promise<void> {
    await expect(this.page.getByText(this.t('wizard.head.passed.lead'))).toBeVisible()
    await expect(this.button('wizard.continue')).toBeEnabled()
  }

  /** Consents and adds. */
  async add(): Promise<void> {
    await this.page.getByRole('checkbox').click()
    await this.button('wizard.add').click()
  }
}
