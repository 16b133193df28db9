import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import type { Setting } from '@/lib/api'
import { pretendCore, refusal, type Heard } from '@/testing/core'
import { openApp } from '@/testing/openApp'

const setting = (key: string, value: string, change: Partial<Setting> = {}): Setting => ({
  key,
  value,
  default: value,
  from: 'default',
  ...change,
})

const status = {
  running: true,
  pid: 1,
  owner: 'serve',
  version: '0.1.0',
  data_folder: '/home/lea/.apollia',
  servers: { ready: 0, total: 0 },
  inbox: 0,
  calls_today: 0,
  secrets: { kind: 'file', degraded: true },
  problems: [],
}

let settings: Setting[]
let heard: Heard[]
beforeEach(() => {
  settings = [
    setting('ui.language', 'en', { from: 'store' }),
    setting('ui.theme', 'system'),
    setting('ui.letter_shortcuts', 'true'),
    setting('defaults.timeout', '30'),
    setting('approvals.from_cli', 'terminal'),
  ]
})

async function open(answers: Record<string, unknown> = {}) {
  heard = pretendCore({
    'GET /api/settings': () => ({ settings }),
    'PATCH /api/settings': ({ key, value }: { key: string; value?: string }) => {
      settings = settings.map((one) => (one.key === key ? { ...one, value: value ?? one.default } : one))
      return { settings }
    },
    'GET /api/status': status,
    'GET /api/doctor': { findings: [{ check: 'npx', level: 'ok', detail: '/usr/bin/npx' }] },
    ...answers,
  })
  const user = openApp('/settings')
  await screen.findByRole('heading', { level: 1, name: 'Settings' })
  return user
}

const changes = () => heard.filter(({ call }) => call === 'PATCH /api/settings').map(({ body }) => body)

it('takes the file of a private authority', async () => {
  settings.push(setting('tls.ca_file', ''))
  const user = await open()
  const field = await screen.findByRole('textbox', { name: 'Private authorities' })
  await user.type(field, ' /etc/ssl/acme.pem{Enter}')
  await waitFor(() => expect(changes()).toEqual([{ key: 'tls.ca_file', value: '/etc/ssl/acme.pem' }]))
  await waitFor(() => expect(field).toHaveProperty('value', '/etc/ssl/acme.pem'))
  await user.clear(field)
  await user.tab()
  await waitFor(() => expect(changes()).toHaveLength(2))
  expect(changes()[1]).toEqual({ key: 'tls.ca_file' })
})

it('says when no setting matches, and brings them all back', async () => {
  const user = await open()
  await user.type(await screen.findByRole('textbox', { name: 'A setting…' }), 'zzzz')
  expect(await screen.findByText('No setting matches “zzzz”')).toBeDefined()
  await user.click(screen.getByRole('button', { name: 'Clear' }))
  expect(await screen.findByText('Language')).toBeDefined()
})

it('takes a change at once', async () => {
  const user = await open()
  await user.click(await screen.findByRole('radio', { name: 'Dark' }))
  await waitFor(() => expect(changes()).toEqual([{ key: 'ui.theme', value: 'dark' }]))
  await waitFor(() => expect(document.documentElement.dataset.theme).toBe('dark'))
})

it('changes every word of the page with the language', async () => {
  const user = await open()
  await user.click(await screen.findByRole('radio', { name: 'Français' }))
  expect(await screen.findByRole('heading', { level: 1, name: 'Réglages' })).toBeDefined()
})

it('takes a number when the field is left, and brings the default back when it is emptied', async () => {
  const user = await open()
  const field = await screen.findByRole('spinbutton', { name: 'Start timeout' })
  await user.clear(field)
  await user.type(field, '45{Enter}')
  await waitFor(() => expect(changes()).toEqual([{ key: 'defaults.timeout', value: '45' }]))
  await user.clear(field)
  await user.tab()
  await waitFor(() => expect(changes()).toHaveLength(2))
  expect(changes()[1]).toEqual({ key: 'defaults.timeout' })
})

it('keeps a number out of bounds, and says the bounds', async () => {
  const user = await open()
  const field = await screen.findByRole('spinbutton', { name: 'Start timeout' })
  await user.clear(field)
  await user.type(field, '0{Enter}')
  expect(await screen.findByText('1 to 3600.')).toBeDefined()
  expect(changes()).toEqual([])
})

it('goes back when a change is refused, with the reason', async () => {
  const user = await open({ 'PATCH /api/settings': () => refusal('disk_full', 500) })
  await user.click(await screen.findByRole('switch', { name: 'One-letter shortcuts' }))
  expect(await screen.findByText(/The disk is full/)).toBeDefined()
  await waitFor(() =>
    expect(screen.getByRole('switch', { name: 'One-letter shortcuts' }).ariaChecked).not.toBe('false'),
  )
})

it('asks before scripts may answer for a person', async () => {
  const user = await open()
  await user.click(await screen.findByRole('radio', { name: 'Always' }))
  expect(changes()).toEqual([])
  await user.click(await screen.findByRole('button', { name: 'Let scripts answer' }))
  await waitFor(() => expect(changes()).toEqual([{ key: 'approvals.from_cli', value: 'always' }]))
})

it('only shows what config.toml sets, with its line', async () => {
  settings = settings.map((one) => (one.key === 'approvals.from_cli' ? { ...one, from: 'config.toml', line: 12 } : one))
  const user = await open()
  expect(await screen.findByText('Written in config.toml, line 12: it is changed there.')).toBeDefined()
  await user.click(screen.getByRole('radio', { name: 'Never' }))
  expect(changes()).toEqual([])
})

it('says where the key lives, what the machine has, and that nothing is sent', async () => {
  await open()
  expect(await screen.findByText('In a file on this computer')).toBeDefined()
  expect(await screen.findByText('/usr/bin/npx')).toBeDefined()
  expect(screen.getByText('No telemetry.')).toBeDefined()
})

const lostKey = {
  kind: 'file',
  degraded: true,
  lost: ['github/env.TOKEN', 'acme/header.Authorization'],
  reason: { code: 'secret_key_missing', message: 'the key of the secret store is missing' },
}

it('makes a new key in place of a lost one, once the person has read what it costs', async () => {
  let secrets: unknown = lostKey
  const user = await open({
    'GET /api/status': () => ({ ...status, secrets }),
    'POST /api/secrets/new-key': () => {
      secrets = { kind: 'file', degraded: true }
      return { secrets: lostKey.lost, kept_in: '/home/lea/.apollia/secrets.lost-1.json', place: secrets }
    },
  })
  expect(await screen.findByText('Key missing')).toBeDefined()
  expect(screen.getByText(/apollia doctor --new-key/)).toBeDefined()
  const asked = () => heard.filter(({ call }) => call === 'POST /api/secrets/new-key')

  await user.click(screen.getByRole('button', { name: 'Make a new key…' }))
  const dialog = await screen.findByRole('dialog', { name: 'Give up the lost key?' })
  for (const words of ['github/env.TOKEN', 'acme/header.Authorization', /^Lost: the check of the journal/, /^Stays:/])
    expect(within(dialog).getByText(words)).toBeDefined()
  await user.click(within(dialog).getByRole('button', { name: 'Cancel' }))
  expect(asked()).toEqual([])

  await user.click(screen.getByRole('button', { name: 'Make a new key…' }))
  await user.click(await screen.findByRole('button', { name: 'Make a new key' }))
  expect(await screen.findByText(/secrets\.lost-1\.json/)).toBeDefined()
  expect(await screen.findByText('In a file on this computer')).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Make a new key…' })).toBeNull()
  expect(asked()).toHaveLength(1)
})

it('offers no new key while the keyring is only locked', async () => {
  const reason = { code: 'keyring_unavailable', message: 'the system keyring cannot be reached' }
  await open({ 'GET /api/status': { ...status, secrets: { kind: 'keyring', degraded: true, reason } } })
  expect(await screen.findByText(/Unlock it or sign in/)).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Make a new key…' })).toBeNull()
})
