import { screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { Setting } from '@/lib/api'
import { pretendCore, type Heard } from '@/testing/core'
import { openApp } from '@/testing/openApp'

const setting = (key: string, value: string): Setting => ({ key, value, default: value, from: 'default' })
let heard: Heard[]

async function open(address: string) {
  let settings = [
    { ...setting('ui.language', 'en'), from: 'store' },
    setting('oauth.callback_port', '8913'),
    setting('oauth.client_metadata_url', 'https://apollia.test/client'),
  ]
  heard = pretendCore({
    'GET /api/settings': () => ({ settings }),
    'PATCH /api/settings': ({ key, value }: { key: string; value?: string }) => {
      settings = settings.map((one) => (one.key === key ? { ...one, value: value ?? one.default } : one))
      return { settings }
    },
    'GET /api/doctor': { findings: [] },
  })
  const user = openApp(address)
  await screen.findByRole('heading', { level: 1, name: 'Settings' })
  return user
}

const changes = () => heard.filter(({ call }) => call === 'PATCH /api/settings').map(({ body }) => body)

it('leads to the port that sign-ins come back to, and takes another one', async () => {
  const user = await open('/settings?row=oauth.callback_port')
  const field = await screen.findByRole('spinbutton', { name: 'Callback port' })
  await waitFor(() => expect(document.activeElement).toBe(field))
  await user.clear(field)
  await user.type(field, '8914{Enter}')
  await waitFor(() => expect(changes()).toEqual([{ key: 'oauth.callback_port', value: '8914' }]))
})

it('takes the address of another client document', async () => {
  const user = await open('/settings')
  const field = await screen.findByRole('textbox', { name: 'Client document' })
  await user.clear(field)
  await user.type(field, 'https://acme.test/client{Enter}')
  await waitFor(() =>
    expect(changes()).toEqual([{ key: 'oauth.client_metadata_url', value: 'https://acme.test/client' }]),
  )
})

it('takes no document at all, and goes back to the usual one', async () => {
  const user = await open('/settings')
  const field = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Client document' })
  expect(screen.queryByRole('button', { name: /back to/ })).toBeNull()
  await user.clear(field)
  await user.tab()
  await waitFor(() => expect(changes()).toEqual([{ key: 'oauth.client_metadata_url', value: '' }]))
  expect(field.placeholder).toBe('None')
  await user.click(await screen.findByRole('button', { name: 'Client document: back to https://apollia.test/client' }))
  await waitFor(() => expect(changes().at(-1)).toEqual({ key: 'oauth.client_metadata_url' }))
  await waitFor(() => expect(field.value).toBe('https://apollia.test/client'))
})
