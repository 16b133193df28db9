import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { finished, search, server } from '@/testing/notion'
import { aScene, group, openScene, press, running, type Scene } from '@/testing/signIn'

let scene: Scene
beforeEach(() => {
  scene = aScene()
  scene.server = server
})

const refused = (id: string) =>
  finished({
    id,
    started_at: new Date().toISOString(),
    error: { code: 'more_rights_needed', message: 'more rights', args: { status: '403', scopes: 'admin' } },
  })

/** Opens the tool and calls it, which is refused each time. */
async function calling(more: Record<string, unknown> = {}) {
  const made: string[] = []
  const answers = { c1: refused('c1'), c2: refused('c2') }
  const user = openScene(
    scene,
    {
      'GET /api/servers/notion/tools': { tools: [search] },
      'POST /api/calls': () => {
        const id = made.length === 0 ? 'c1' : 'c2'
        made.push(id)
        answers[id] = refused(id)
        return answers[id]
      },
      'GET /api/calls/c1': () => answers.c1,
      'GET /api/calls/c2': () => answers.c2,
      ...more,
    },
    '/servers/notion?tool=search',
  )
  await user.type(await screen.findByRole('textbox', { name: 'Query' }), 'x')
  await user.keyboard('{Control>}{Enter}{/Control}')
  return { user, made }
}

it('is offered by a call that wants it, which can then be made again', async () => {
  const { user, made } = await calling()
  await press(user)
  await group()
  scene.now = { ...running, running: false }
  expect(await screen.findByText('Signed in. You can make the call again.')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: /^Call/ }))
  await waitFor(() => expect(made).toHaveLength(2))
  // That the first call was signed in for is no answer to the second one.
  expect(await screen.findByRole('button', { name: 'Sign in' })).toBeTruthy()
})

it('says which rights are asked for, and is offered once: where the page says how the server is', async () => {
  const reason = { code: 'more_rights_needed', message: 'more rights', args: { scopes: 'admin' } }
  scene.server = { ...server, state: 'degraded', reason }
  const { user } = await calling({ 'POST /api/sign-ins': { ...running, scopes: ['openid', 'admin'] } })
  expect(await screen.findAllByText(/The server wants more rights: admin\./)).toHaveLength(2)
  expect(screen.getAllByRole('button', { name: 'Sign in' })).toHaveLength(1)
  await press(user)
  expect((await group()).textContent).toContain('Rights asked for: who you are, admin')
  scene.server = server
  scene.now = { ...running, running: false }
  expect(await screen.findByText('Signed in. You can make the call again.')).toBeTruthy()
})
