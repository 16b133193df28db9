import { screen } from '@testing-library/react'
import type { InboxRequest } from '@/lib/api'
import { aServer, pretendCore, type Heard } from './core'
import { openApp } from './openApp'

/**
 * Opens the card of a request, and waits for its title. The pretended core takes the first answer, as the real one does;
 * answers replace what it says. sent gives the answers that it heard.
 */
export async function openRequest(asked: InboxRequest, title: string | RegExp, answers: Record<string, unknown> = {}) {
  let request = asked
  const heard: Heard[] = pretendCore({
    'GET /api/servers': { servers: [aServer()] },
    'GET /api/inbox': () => ({ requests: [request], waiting: request.status === 'waiting' ? 1 : 0 }),
    [`GET /api/inbox/${asked.id}`]: () => request,
    'GET /api/approvals': { approvals: [] },
    'GET /api/activity': { entries: [], totals: { calls: 0, refused: 0, failed: 0 }, before: 0 },
    [`POST /api/inbox/${asked.id}/answer`]: (body: { approve: boolean; cancel?: boolean }) => {
      const by = { kind: 'window' as const, name: 'window', user: 'local' }
      const answer = { approve: body.approve, cancel: body.cancel ?? false, by, at: '2026-11-26T16:04:00Z' }
      request = { ...request, status: body.approve ? 'approved' : 'denied', answer }
      return request
    },
    ...answers,
  })
  const person = openApp(`/inbox/${asked.id}`)
  await screen.findByRole('heading', { level: 2, name: title })
  const sent = () => heard.filter(({ call }) => call.startsWith('POST /api/inbox')).map(({ body }) => body)
  return { person, sent }
}
