import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { finished, search, server } from '@/testing/notion'
import { aScene, group, openScene, press, running, type Scene } from '@/testing/signIn'

let scene: Scene
beforeEach(() => {
  scene = aScene()
  scene.server = server
})

const unsigned = finished({ error: { code: 'sign_in_needed', message: 'more rights', args: { status: '403' } } })

it('is offered by a call that wants it, which can then be made again', async () => {
  let made = 0
  const user = openScene(
    scene,
    {
      'GET /api/servers/notion/tools': { tools: [search] },
      'POST /api/calls': () => ({ ...unsigned, id: `c${++made}` }),
      'GET /api/calls/c1': unsigned,
      'GET /api/calls/c2': { ...unsigned, id: 'c2' },
    },
    '/servers/notion?tool=search',
  )
  await user.type(await screen.findByRole('textbox', { name: 'Query' }), 'x')
  await user.keyboard('{Control>}{Enter}{/Control}')
  await press(user)
  await group()
  scene.now = { ...running, running: false }
  expect(await screen.findByText('Signed in. You can make the call again.')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: /^Call/ }))
  await waitFor(() => expect(made).toBe(2))
  // That the first call was signed in for is no answer to the second one.
  expect(await screen.findByRole('button', { name: 'Sign in' })).toBeTruthy()
})
