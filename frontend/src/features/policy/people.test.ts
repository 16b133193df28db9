import { expect, it } from 'vitest'
import type { Rule } from '@/lib/api'
import { callerNames } from './people'

it('lists our own doors first, then everyone that is named somewhere, once', () => {
  const rule = (client: string): Rule => ({ id: client, verdict: 'ask', client, source: 'store', created_at: '' })
  const caller = (name: string) => ({ kind: 'client' as const, name, user: 'local' })
  const entry = { seq: 1, at: '', kind: 'outcome' as const, server: 's', name: 't' }
  expect(
    callerNames(
      [rule('Cursor'), rule('C*')],
      [],
      [
        { ...entry, caller: caller('VS Code') },
        { ...entry, caller: caller('cli') },
        { ...entry, caller: caller('Cursor') },
      ],
    ),
  ).toEqual(['window', 'cli', 'Cursor', 'VS Code'])
})
