import { fakeServer } from '../harness/paths'
import { expect, test } from '../harness/test'
import { Wizard } from '../harness/wizard'

test('a variable that is not set is named, and nothing is sent', async ({ app, t, core, remotes }) => {
  const requests: string[] = []
  app.on('request', (request) => requests.push(request.url()))
  const wizard = new Wizard(app, t)
  await wizard.open()
  await wizard.toParameters('streamable_http')
  await wizard.address('acme', remotes.http)
  await wizard.button('wizard.headers.add').click()
  await app.getByRole('textbox', { name: t('wizard.headers.name'), exact: true }).fill('X-Region')
  await app.getByLabel(t('wizard.valueOf', { name: 'X-Region' })).fill('${ACME_REGION}')
  await expect(app.getByText(t('wizard.where.lost'), { exact: true })).toBeVisible()
  await app.getByLabel(t('wizard.valueOf', { name: 'X-Region' })).blur()
  const told = t('errors.variable_unset.more', { variable: 'ACME_REGION' })
  await expect(app.getByText(told).first()).toBeVisible()
  await expect(app.getByText(t('wizard.toCorrect', { count: 1 }), { exact: true })).toBeVisible()
  await expect(wizard.button('wizard.test.go')).toBeDisabled()
  await app.keyboard.press('Control+Enter')
  await expect(wizard.title).toHaveText(t('wizard.head.http.title'))
  expect(requests.filter((url) => url.endsWith('/api/tests'))).toEqual([])
  expect(await core.json('mcp', 'list')).toEqual({ servers: [] })
})

test('names that are taken or illegal are told under the field', async ({ app, t, core }) => {
  await core.json('mcp', 'add-server', '--name', 'acme', '--transport', 'stdio', '--command', fakeServer)
  const wizard = new Wizard(app, t)
  await wizard.open()
  await wizard.toParameters('stdio')
  await wizard.program('Acme', fakeServer)
  const name = wizard.field('wizard.name')
  await expect(name).toHaveAccessibleDescription(new RegExp(t('errors.duplicate_name.more', { name: 'Acme' })))
  await expect(wizard.button('wizard.test.go')).toBeDisabled()
  await name.fill('***')
  await expect(name).toHaveAccessibleDescription(
    new RegExp(t('errors.invalid_name.more', { name: '***' }).replaceAll('*', '\\*')),
  )
  await expect(name).toHaveAttribute('aria-invalid', 'true')
  await app
    .getByRole('status')
    .getByRole('button', { name: t('wizard.name'), exact: true })
    .click()
  await expect(name).toBeFocused()
  await name.fill('acme 2')
  await expect(wizard.button('wizard.test.go')).toBeEnabled()
})

test('what is not the address of a server is told before anything is contacted', async ({ app, t }) => {
  const wizard = new Wizard(app, t)
  await wizard.open()
  await wizard.toParameters('sse')
  await wizard.address('acme', 'localhost:3001/sse')
  await wizard.field('wizard.url').blur()
  await expect(wizard.field('wizard.url')).toHaveAccessibleDescription(t('wizard.faults.address'))
  await wizard.field('wizard.url').fill('https://lea:secret@acme.example/sse')
  await expect(wizard.field('wizard.url')).toHaveAccessibleDescription(t('wizard.faults.addressPassword'))
  await expect(wizard.button('wizard.test.go')).toBeDisabled()
})
