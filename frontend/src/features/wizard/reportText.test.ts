import { expect, it } from 'vitest'
import { reportText } from './reportText'

it('tells the steps, the cause and the proof', () => {
  const text = reportText(
    {
      id: 't1',
      server: 'pg',
      name: 'pg',
      running: false,
      ok: false,
      transport: 'stdio',
      started_at: '2026-11-26T16:04:00Z',
      steps: [
        { name: 'resolve', ok: true, start_ms: 0, ms: 8, detail: '/usr/bin/npx' },
        { name: 'spawn', ok: false, start_ms: 8, ms: 900 },
      ],
      error: { code: 'server_exited', message: 'ended', proof: 'X is not set' },
      tools: [],
      resources: [],
      templates: [],
      prompts: [],
    },
    () => ({ what: 'It ended.', fix: 'Read its lines.', short: 'It ended' }),
    (name) => name,
    'en',
  )
  expect(text.replaceAll('\u00a0', ' ').split('\n')).toEqual([
    'pg, stdio, 2026-11-26T16:04:00Z',
    '+ resolve (8 ms) /usr/bin/npx',
    '- spawn (900 ms)',
    '',
    'It ended.',
    'Read its lines.',
    '(server_exited)',
    '',
    'X is not set',
  ])
})
