import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import type { Readiness, Setting } from '@/lib/api'
import { pretendCore, refusal, type Heard } from '@/testing/core'
import { openApp } from '@/testing/openApp'

const key = 'sk-0123456789abcdef'
let settings: Setting[]
let heard: Heard[]

const found = (change: Partial<Readiness> = {}): Readiness => ({
  ok: true,
  address: 'http://127.0.0.1:11434/v1',
  model: 'mistral-small',
  reachable: true,
  key: 'not_needed',
  model_known: true,
  models: ['llama3.3', 'mistral-small'],
  ms: 210,
  ...change,
})

beforeEach(() => {
  const setting = (name: string, value: string): Setting => ({ key: name, value, default: value, from: 'default' })
  settings = [
    { ...setting('ui.language', 'en'), from: 'store' },
    setting('model.base_url', ''),
    setting('model.name', ''),
    { ...setting('model.key', ''), secret: 'none' },
    setting('sampling.per_hour', '100'),
  ]
})

const change = (name: string, what: Partial<Setting>) => {
  settings = settings.map((one) => (one.key === name ? { ...one, ...what } : one))
  return { settings }
}

async function open(answers: Record<string, unknown> = {}) {
  heard = pretendCore({
    'GET /api/settings': () => ({ settings }),
    'PATCH /api/settings': ({ key, value }: { key: string; value?: string }) => change(key, { value: value ?? '' }),
    'PUT /api/model/key': () => change('model.key', { secret: 'kept', from: 'store' }),
    'DELETE /api/model/key': () => change('model.key', { secret: 'none', from: 'default' }),
    'POST /api/model/check': found(),
    'GET /api/doctor': { findings: [] },
    ...answers,
  })
  const user = openApp('/settings')
  await screen.findByRole('textbox', { name: 'Address' })
  return user
}

const isSet = (address: string, name: string) => {
  change('model.base_url', { value: address })
  change('model.name', { value: name })
}
const calls = (...paths: string[]) => heard.filter(({ call }) => paths.some((path) => call.endsWith(path)))
const state = () => screen.getAllByRole('status').find((one) => one.closest('section')?.textContent.includes('Test'))

it('says that requests are refused while no model is set', async () => {
  await open()
  expect(screen.getByText('No model: texts that are asked for are refused')).toBeDefined()
  expect(screen.getByRole('button', { name: 'Test' }).ariaDisabled).toBe('true')
  expect(screen.getByRole('textbox', { name: 'Key' })).toHaveProperty('placeholder', 'The address first')
})

it('takes the address, the model and the limit, and tries them', async () => {
  const user = await open()
  await user.type(screen.getByRole('textbox', { name: 'Address' }), '127.0.0.1:11434/v1{Enter}')
  await user.type(screen.getByRole('combobox', { name: 'Model' }), 'mistral-small')
  const limit = screen.getByRole('spinbutton', { name: 'At most, for each server' })
  await user.clear(limit)
  await user.type(limit, '20{Enter}')
  await waitFor(() =>
    expect(calls('/api/settings').flatMap(({ call, body }) => (call.startsWith('PATCH') ? [body] : []))).toEqual([
      { key: 'model.base_url', value: 'http://127.0.0.1:11434/v1' },
      { key: 'model.name', value: 'mistral-small' },
      { key: 'sampling.per_hour', value: '20' },
    ]),
  )
  expect(await screen.findByText('Not tried yet')).toBeDefined()
  await user.click(screen.getByRole('button', { name: 'Test' }))
  expect(await screen.findByText('Answers')).toBeDefined()
  expect(screen.getByText(/^mistral-small, 210.ms, /)).toBeDefined()
})

it('offers the models that were found', async () => {
  isSet('http://127.0.0.1:11434/v1', '')
  const unnamed = { code: 'model_not_set', message: 'no name', args: { reason: 'no_model_name' } }
  const none = found({ ok: false, model_known: false, error: unnamed })
  delete none.model
  const user = await open({ 'POST /api/model/check': none })
  await user.click(screen.getByRole('button', { name: 'Test' }))
  expect(await screen.findByText(/and not the model itself/)).toBeDefined()
  await user.type(screen.getByRole('combobox', { name: 'Model' }), 'l')
  await user.click(await screen.findByRole('option', { name: 'llama3.3' }))
  await user.tab()
  await waitFor(() => expect(settings.find((one) => one.key === 'model.name')?.value).toBe('llama3.3'))
})

it('keeps a key that is never shown again, before it tries the connection, and forgets it', async () => {
  isSet('http://127.0.0.1:11434/v1', 'mistral-small')
  const user = await open()
  const field = screen.getByRole('textbox', { name: 'Key' })
  expect(field).toHaveProperty('placeholder', 'None, a local model')
  await user.type(field, key)
  expect(field).toHaveProperty('type', 'password')
  await user.click(screen.getByRole('button', { name: 'Test' }))
  expect(await screen.findByText('Answers')).toBeDefined()
  expect(calls('/model/key', '/model/check').map(({ call, body }) => [call, body])).toEqual([
    ['PUT /api/model/key', { key }],
    ['POST /api/model/check', undefined],
  ])
  expect(field).toHaveProperty('value', '')
  expect(field).toHaveProperty('placeholder', 'Kept')
  await user.click(screen.getByRole('button', { name: 'Forget the key' }))
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Forget the key' })).toBeNull())
  expect(document.activeElement).toBe(field)
  expect(screen.getByText('Not tried yet')).toBeDefined()
})

it('says that a key of another address is not used', async () => {
  isSet('https://api.example.com/v1', 'gpt')
  change('model.key', { secret: 'elsewhere' })
  await open()
  expect(screen.getByText('The key that is kept is for another address: it is not used.')).toBeDefined()
  expect(screen.getByRole('button', { name: 'Forget the key' })).toBeDefined()
})

it('says why there is no text, and forgets that when the settings change', async () => {
  isSet('http://127.0.0.1:11434/v1', 'mistral-small')
  const args = { reason: 'model_key_refused', address: 'http://127.0.0.1:11434/v1' }
  const user = await open({
    'POST /api/model/check': found({
      ok: false,
      key: 'refused',
      error: { code: 'model_refused', message: 'no', args },
    }),
  })
  await user.click(screen.getByRole('button', { name: 'Test' }))
  expect(await screen.findByText(/^http:\/\/127\.0\.0\.1:11434\/v1 refuses the key\./)).toBeDefined()
  expect(within(state() as HTMLElement).getByText('Not ready')).toBeDefined()
  await user.type(screen.getByRole('combobox', { name: 'Model' }), '-2{Enter}')
  expect(await screen.findByText('Not tried yet')).toBeDefined()
})

it('says that a key was not kept', async () => {
  isSet('http://127.0.0.1:11434/v1', 'mistral-small')
  const user = await open({ 'PUT /api/model/key': () => refusal('keyring_unavailable', 424) })
  await user.type(screen.getByRole('textbox', { name: 'Key' }), `${key}{Enter}`)
  expect(await screen.findByText(/keyring/i)).toBeDefined()
})

it('only shows what config.toml sets', async () => {
  isSet('http://127.0.0.1:11434/v1', 'mistral-small')
  change('model.base_url', { from: 'config.toml', line: 3 })
  const user = await open()
  expect(screen.getByText('Written in config.toml, line 3: it is changed there.')).toBeDefined()
  await user.type(screen.getByRole('textbox', { name: 'Address' }), 'x{Enter}')
  expect(calls('/api/settings').every(({ call }) => call.startsWith('GET'))).toBe(true)
})
