import { expect, type Page } from '@playwright/test'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Core } from './core'
import type { Words } from './words'

/** An OpenAI-compatible endpoint that answers with what it was asked, in capitals, or with a failure. */
export class Endpoint {
  readonly heard: string[] = []
  failing = false
  private readonly server: Server

  constructor() {
    this.server = createServer((request, response) => void this.answer(request, response)).listen(0, '127.0.0.1')
  }

  get url(): string {
    return `http://127.0.0.1:${String((this.server.address() as AddressInfo).port)}/v1`
  }

  private async answer(request: IncomingMessage, response: ServerResponse) {
    let body = ''
    for await (const part of request) body += String(part)
    this.heard.push(body)
    const { messages } = JSON.parse(body) as { messages: { role: string; content: unknown }[] }
    const asked = JSON.stringify(messages.at(-1)?.content)
    response.writeHead(this.failing ? 400 : 200, { 'Content-Type': 'application/json' })
    response.end(
      JSON.stringify(
        this.failing
          ? { error: { message: 'no such model' } }
          : {
              id: 'c1',
              object: 'chat.completion',
              created: 1,
              model: 'mistral-small',
              choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: `HEARD ${asked}` } }],
            },
      ),
    )
  }

  async close() {
    this.server.closeAllConnections()
    await new Promise((closed) => this.server.close(closed))
  }
}

/** Sets the model where a person does. */
export async function setModel(app: Page, t: Words, core: Core, endpoint: Endpoint) {
  await app.goto(`${core.url}/#/settings`)
  const field = (word: string) => app.getByLabel(t(`settings.model.${word}`), { exact: true })
  await field('address').fill(endpoint.url)
  await field('address').press('Tab')
  await field('name').fill('mistral-small')
  await field('name').press('Tab')
  await expect
    .poll(async () => (await core.json<{ settings: { key: string; value: string }[] }>('settings', 'get')).settings)
    .toContainEqual(expect.objectContaining({ key: 'model.name', value: 'mistral-small' }))
  await app.goto(`${core.url}/#/inbox`)
}
