import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { NewRule, Rule } from '@/lib/api'
import { aServer, pretendCore, type Heard } from '@/testing/core'
import { openApp } from '@/testing/openApp'

const rule = (id: string, change: Partial<Rule> = {}): Rule => ({
  id,
  verdict: 'deny',
  server: 'notion',
  source: 'store',
  created_at: '2026-11-12T10:00:00Z',
  ...change,
})

let rules: Rule[]
let heard: Heard[]

function open(address: string) {
  rules = [
    rule('r1', { actions: ['delete_*'], client: 'Cursor' }),
    rule('r2', { verdict: 'allow', source: 'config.toml', line: 31 }),
    rule('r3', { verdict: 'ask', actions: ['create_page'] }),
  ]
  heard = pretendCore({
    'GET /api/servers': { servers: [aServer()] },
    'GET /api/policy': () => ({ rules }),
    'POST /api/policy/rules': (made: NewRule) => {
      const added = rule('r4', made)
      rules = [...rules, added]
      return added
    },
    'DELETE /api/policy/rules/r1': () => {
      rules = rules.filter(({ id }) => id !== 'r1')
      return {}
    },
    'GET /api/approvals': {
      approvals: [
        {
          id: 'a1',
          scope: 'always',
          caller: { kind: 'client', name: 'Cursor', user: 'local' },
          server: 'notion',
          kind: 'tool',
          name: 'search',
          definition_digest: 'd',
          start_digest: 's',
          created_at: '2026-11-12T10:00:00Z',
        },
      ],
    },
    'DELETE /api/approvals/a1': {},
    'GET /api/activity': { entries: [], totals: { calls: 0, refused: 0, failed: 0 }, before: 0 },
    'POST /api/policy/explain': {
      verdict: 'ask',
      because: 'server_default',
      risk: 'medium',
      steps: [
        { question: 'deny_rule', answer: 'ask', matched: false, deciding: false },
        { question: 'server_default', answer: 'ask', matched: true, deciding: true },
      ],
    },
  })
  return openApp(address)
}

const calls = () => heard.map(({ call }) => call)

it('lists rules in words, apart from what is set tool by tool', async () => {
  open('/policy')
  expect(await screen.findByText('notion.delete_*')).toBeDefined()
  expect(screen.getByText('Written in config.toml, line 31')).toBeDefined()
  const perTool = screen.getByRole('heading', { name: /Set tool by tool/ }).closest('section')
  expect(within(perTool ?? document.body).getByText('notion.create_page')).toBeDefined()
  expect(screen.getByText('Every server you add')).toBeDefined()
  expect(screen.getByRole('heading', { name: /^Your rules ?3$/ })).toBeDefined() // the default is one of them
})

it('takes a rule away, with the way to undo it, but none of the file', async () => {
  const user = open('/policy')
  await user.click(await screen.findByRole('button', { name: /Actions for notion.delete_\*/ }))
  await user.click(await screen.findByRole('menuitem', { name: 'Remove the rule' }))
  await waitFor(() => expect(calls()).toContain('DELETE /api/policy/rules/r1'))
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  await waitFor(() => expect(calls()).toContain('POST /api/policy/rules'))
  const made = heard.find(({ call }) => call === 'POST /api/policy/rules')
  expect(made?.body).toEqual({ verdict: 'deny', server: 'notion', actions: ['delete_*'], client: 'Cursor' })
  expect(screen.queryByRole('button', { name: 'Actions for notion' })).toBeNull()
})

it('makes a rule of a sentence', async () => {
  const user = open('/policy')
  await user.click(await screen.findByRole('button', { name: 'New rule' }))
  const dialog = await screen.findByRole('dialog', { name: 'New rule' })
  await user.type(within(dialog).getByRole('combobox', { name: 'Tool' }), 'drop_*')
  await user.click(within(dialog).getByRole('button', { name: 'Set the rule' }))
  await waitFor(() =>
    expect(heard.find(({ call }) => call === 'POST /api/policy/rules')?.body).toEqual({
      verdict: 'ask',
      server: '*',
      actions: ['drop_*'],
    }),
  )
})

it('explains what the address asks, and changes the answer for that caller', async () => {
  const user = open('/policy?server=notion&name=create_page&caller=Cursor')
  const why = await screen.findByRole('complementary', { name: 'Why?' })
  expect(await within(why).findByText('Every call will wait for your approval.')).toBeDefined()
  expect(within(why).getByText('No. No rule denies this tool.')).toBeDefined()
  expect(within(why).getByText('apollia policy explain \\ notion.create_page --client Cursor')).toBeDefined()
  await user.click(within(why).getByRole('button', { name: 'Deny' }))
  await waitFor(() =>
    expect(heard.find(({ call }) => call === 'POST /api/policy/rules')?.body).toEqual({
      verdict: 'deny',
      server: 'notion',
      actions: ['create_page'],
      client: 'Cursor',
    }),
  )
})

it('revokes a standing approval', async () => {
  const user = open('/policy')
  await user.click(await screen.findByRole('button', { name: 'Revoke the approval for notion.search' }))
  await waitFor(() => expect(calls()).toContain('DELETE /api/approvals/a1'))
})

it('says that rules were lost until a person accepts those that are left', async () => {
  let lost: { code: string; message: string; args: { kept: string } } | undefined = {
    code: 'rules_lost',
    message: 'governance.db was damaged',
    args: { kept: '/data/governance.db.damaged-1' },
  }
  heard = pretendCore({
    'GET /api/servers': { servers: [aServer()] },
    'GET /api/policy': () => ({ rules: [], lost }),
    'GET /api/approvals': { approvals: [] },
    'POST /api/policy/accept-loss': () => {
      lost = undefined
      return {}
    },
  })
  const user = openApp('/policy')
  expect((await screen.findByRole('alert')).textContent).toContain('/data/governance.db.damaged-1')
  await user.click(screen.getByRole('button', { name: 'Accept the rules as they are' }))
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
  expect(calls()).toContain('POST /api/policy/accept-loss')
})
