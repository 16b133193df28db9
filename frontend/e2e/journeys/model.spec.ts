import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { violations } from '../harness/axe'
import { expect, test } from '../harness/test'

const key = 'sk-apollia-0123456789abcdef'

/** Lists its models to those who show the key. */
function answer(request: IncomingMessage, response: ServerResponse) {
  const admitted = request.headers.authorization === `Bearer ${key}`
  response.writeHead(admitted ? 200 : 401, { 'Content-Type': 'application/json' })
  response.end(
    JSON.stringify(
      admitted
        ? { object: 'list', data: [{ id: 'llama3.3' }, { id: 'mistral-small' }] }
        : { error: { message: `Incorrect API key provided: ${request.headers.authorization ?? ''}` } },
    ),
  )
}

test('a model is set and tried by keyboard, and its key is never shown again', async ({ app, core, t }) => {
  const endpoint = createServer(answer).listen(0, '127.0.0.1')
  await new Promise((listening) => endpoint.once('listening', listening))
  try {
    await app.goto(`${core.url}/#/settings`)
    const field = (word: string) => app.getByLabel(t(`settings.model.${word}`), { exact: true })
    const press = (word: string) => app.getByRole('button', { name: t(`settings.model.${word}`) }).press('Enter')
    await expect(app.getByText(t('settings.model.none'))).toBeVisible()

    await field('address').fill(`127.0.0.1:${String((endpoint.address() as AddressInfo).port)}/v1`)
    await field('address').press('Tab')
    await press('try')
    await expect(app.getByText(t('settings.model.fails'))).toBeVisible()

    await field('key').fill(key)
    await field('key').press('Tab')
    await press('try')
    await expect(field('key')).toHaveValue('')
    await expect(field('key')).toHaveAttribute('placeholder', t('settings.model.kept'))

    await field('name').fill('m')
    await app.getByRole('option', { name: 'mistral-small' }).waitFor()
    await field('name').press('ArrowDown')
    await field('name').press('ArrowDown')
    await field('name').press('Enter')
    await field('name').press('Tab')
    await expect(field('name')).toHaveValue('mistral-small')
    await press('try')
    await expect(app.getByText(t('settings.model.answers'), { exact: true })).toBeVisible()
    expect(await violations(app)).toEqual([])

    const { settings } = await core.json<{ settings: { key: string; value: string; secret?: string }[] }>(
      'settings',
      'get',
    )
    expect(settings).toContainEqual(expect.objectContaining({ key: 'model.key', value: '', secret: 'kept' }))
    expect(await app.content()).not.toContain(key)
    await press('forget')
    await expect(app.getByRole('button', { name: t('settings.model.forget') })).toHaveCount(0)
  } finally {
    endpoint.closeAllConnections()
    await new Promise((closed) => endpoint.close(closed))
  }
})
