import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { act, render, screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { makeClient } from '@/app/providers'
import { InPlaceProvider, useShownInPlace } from '@/features/inbox'
import { pretendCore } from '@/testing/core'
import { NewRequests } from './NewRequests'

function Shown({ id }: { id: string }) {
  useShownInPlace(id)
  return <p>shown</p>
}

function open() {
  let waiting: string[] = []
  pretendCore({ 'GET /api/inbox': () => ({ requests: waiting.map((id) => ({ id })), waiting: waiting.length }) })
  const client = makeClient()
  const page = () => (
    <InPlaceProvider>
      <NewRequests />
      <Shown id="mine" />
    </InPlaceProvider>
  )
  const router = createRouter({
    routeTree: createRootRoute({ component: page }),
    history: createMemoryHistory({ initialEntries: ['/servers/notion'] }),
  })
  render(
    <QueryClientProvider client={client}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  )
  const hear = async (...ids: string[]) => {
    waiting = ids
    await act(() => client.refetchQueries({ queryKey: ['inbox'] }))
  }
  return hear
}

it('tells of what waits elsewhere, not of what is shown where its call was made', async () => {
  const hear = open()
  await screen.findByText('shown')
  await hear()
  await hear('mine')
  expect(screen.queryByRole('status')).toBeNull()
  await hear('mine', 'other')
  expect((await screen.findByRole('status')).textContent).toContain('A new request waits for your answer.')
  await hear('mine')
  await waitFor(() => expect(screen.queryByRole('status')).toBeNull())
})
