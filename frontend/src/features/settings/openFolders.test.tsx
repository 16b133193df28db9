import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { pretendCore, refusal } from '@/testing/core'
import { openApp } from '@/testing/openApp'

it('opens folders to agents one by one, says why one is refused, and takes them back', async () => {
  let value = '/srv/papers'
  const settings = () => ({ settings: [{ key: 'modules.folders', value, default: '', from: 'store' }] })
  const heard = pretendCore({
    'GET /api/settings': settings,
    'GET /api/status': { data_folder: '/home/lea/.apollia', problems: [], servers: { ready: 0, total: 0 } },
    'PATCH /api/settings': (change: { value: string }) => {
      if (change.value.includes('.apollia')) return refusal('invalid_input', 400, { reason: 'root_in_data' })
      value = change.value
      return settings()
    },
  })
  const user = openApp('/settings')
  const list = await screen.findByRole('list', { name: 'Folders open to agents' })
  expect(within(list).getByText('/srv/papers')).toBeDefined()

  const field = screen.getByRole('textbox', { name: 'Full path of a folder' })
  await user.type(field, '/home/lea{Enter}')
  expect(await within(list).findByText('/home/lea')).toBeDefined()
  await user.type(field, '/home/lea/.apollia{Enter}')
  expect(await screen.findByText(/holds or lies in the data folder/)).toBeDefined()
  expect(field).toHaveProperty('value', '/home/lea/.apollia')
  await waitFor(() => expect(within(list).getAllByRole('listitem')).toHaveLength(2))

  await user.click(screen.getByRole('button', { name: 'Remove /srv/papers' }))
  await waitFor(() => expect(within(list).getAllByRole('listitem')).toHaveLength(1))
  await user.click(screen.getByRole('button', { name: 'Remove /home/lea' }))
  expect(await screen.findByText('No folder: agents reach no file of this computer this way.')).toBeDefined()
  expect(heard.filter(({ call }) => call === 'PATCH /api/settings').map(({ body }) => body)).toEqual([
    { key: 'modules.folders', value: '/srv/papers:/home/lea' },
    { key: 'modules.folders', value: '/srv/papers:/home/lea:/home/lea/.apollia' },
    { key: 'modules.folders', value: '/home/lea' },
    { key: 'modules.folders', value: '' },
  ])
})
