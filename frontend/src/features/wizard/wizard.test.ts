import { describe, expect, it } from 'vitest'
import type { Definition } from '@/lib/api'
import { definitionOf } from './draft'
import { clientField, startState, tokenField, variablesOf, wizard, type WizardAction, type WizardState } from './wizard'

const definition: Definition = { name: 'pg', transport: 'stdio', command: 'npx', args: ['-y', 'a', 'b'] }
const run = (state: WizardState, ...actions: WizardAction[]) => actions.reduce(wizard, state)
const values = (state: WizardState) => state.draft.args.map(({ value }) => value)

describe('going through the steps', () => {
  it('remembers the furthest step, so that going back keeps everything', () => {
    const state = run(startState(), { type: 'took', definition }, { type: 'next' }, { type: 'next' }, { type: 'back' })
    expect([state.step, state.reached]).toEqual(['auth', 'parameters'])
    expect(definitionOf(state.draft)).toEqual(definition)
  })

  it('stops at both ends', () => {
    expect(run(startState(), { type: 'back' }).step).toBe('transport')
    expect(run(startState(definition, 'disclaimer'), { type: 'next' }).step).toBe('disclaimer')
  })

  it('goes to the field that a fix names', () => {
    const state = run(startState(definition, 'test'), { type: 'go', to: { step: 'parameters', field: 'env[0].value' } })
    expect([state.step, state.focus]).toEqual(['parameters', 'env[0].value'])
    expect(run(state, { type: 'next' }).focus).toBeUndefined()
  })

  it('opens the token when a fix asks for one, unless there is another secret already', () => {
    const remote = startState({ name: 'pg', transport: 'sse', url: 'https://a.fr/sse' }, 'test')
    const to = { step: 'auth', field: 'auth' } as const
    expect(run(remote, { type: 'go', to }).draft.auth.kind).toBe('bearer')
    const keyed = run(remote, { type: 'auth', auth: { kind: 'api-key' } }, { type: 'go', to })
    expect(keyed.draft.auth.kind).toBe('api-key')
  })
})

describe('what a test was made of', () => {
  const tested = run(startState(definition, 'test'), { type: 'testing', id: 't1' }, { type: 'consent', given: true })

  it('is void once a value changes', () => {
    const state = run(tested, { type: 'edit', change: { command: 'uvx' } })
    expect([state.testId, state.consent, state.attempts]).toEqual([undefined, false, 1])
  })

  it('stays when only the asking changes', () => {
    expect(run(tested, { type: 'edit', change: { ask: false } }).testId).toBe('t1')
  })
})

describe('a pasted server', () => {
  const pasted = run(startState(), { type: 'pasted', text: 'npx a' }, { type: 'took', definition })

  it('fills the fields once, so that coming back keeps what was changed since', () => {
    const state = run(pasted, { type: 'edit', change: { name: 'mine' } }, { type: 'took', definition })
    expect(state.draft.name).toBe('mine')
  })

  it('fills them again when another one is chosen or another text is pasted', () => {
    const other = { ...definition, name: 'other' }
    expect(run(pasted, { type: 'choose', choice: 1 }, { type: 'took', definition: other }).draft.name).toBe('other')
    expect(run(pasted, { type: 'pasted', text: 'npx b' }, { type: 'took', definition: other }).draft.name).toBe('other')
  })
})

describe('leaving', () => {
  it('does not ask when nothing was typed', () => {
    expect(run(startState(), { type: 'pasted', text: '  ' }, { type: 'next' }).dirty).toBe(false)
    expect(startState(definition).dirty).toBe(false)
  })

  it('asks after a paste or an edit', () => {
    expect(run(startState(), { type: 'pasted', text: 'npx' }).dirty).toBe(true)
    expect(run(startState(definition), { type: 'argument', at: 0, value: '-n' }).dirty).toBe(true)
  })
})

describe('arguments', () => {
  it('are added in place, moved and removed', () => {
    const state = startState(definition)
    expect(values(run(state, { type: 'add-arguments', values: ['x', 'y'], at: 1 }))).toEqual(['-y', 'x', 'y', 'a', 'b'])
    expect(values(run(state, { type: 'move-argument', from: 2, to: 0 }))).toEqual(['b', '-y', 'a'])
    expect(values(run(state, { type: 'move-argument', from: 0, to: -1 }))).toEqual(['-y', 'a', 'b'])
    expect(values(run(state, { type: 'remove-argument', at: 1 }))).toEqual(['-y', 'b'])
  })

  it('keep distinct keys', () => {
    const state = run(startState(), { type: 'took', definition }, { type: 'add-arguments', values: ['a', 'a'] })
    const keys = state.draft.args.map(({ key }) => key)
    expect(new Set(keys).size).toBe(keys.length)
  })
})

describe('variables', () => {
  const one = run(startState(), { type: 'add-variables', list: 'env', rows: [{ name: 'API_TOKEN', value: '' }] })

  it('that look secret go to the keyring, until a person says otherwise', () => {
    expect(one.draft.env[0]?.secret).toBe(true)
    const plain = run(one, { type: 'variable', list: 'env', at: 0, change: { secret: false } })
    expect(plain.draft.env[0]?.secret).toBe(false)
  })

  it('stay secret while their name is being retyped', () => {
    const renamed = run(one, { type: 'variable', list: 'env', at: 0, change: { name: 'API_' } })
    expect(renamed.draft.env[0]?.secret).toBe(true)
  })

  it('are read from pasted lines', () => {
    expect(variablesOf('export A="one two"\nB=2\n\nX-Tenant: atlas\nalone')).toEqual([
      { name: 'A', value: 'one two' },
      { name: 'B', value: '2' },
      { name: 'X-Tenant', value: 'atlas' },
      { name: 'alone', value: '' },
    ])
  })
})

describe('going to the sign-in', () => {
  const go = { type: 'go', to: { step: 'auth', field: clientField } } as const

  it('opens its row of the Auth step', () => {
    const { step, draft, focus } = run(startState(), { type: 'transport', transport: 'streamable_http' }, go)
    expect([step, draft.auth.kind, focus]).toEqual(['auth', 'oauth', clientField])
  })

  it('leads a local program to its parameters: the Auth step has nothing for it', () => {
    const state = run(startState(definition), go)
    expect([state.step, state.focus, state.dirty]).toEqual(['parameters', tokenField, false])
  })
})

it('keeps what the other transports had', () => {
  const state = run(
    startState(definition),
    { type: 'transport', transport: 'sse' },
    { type: 'transport', transport: 'stdio' },
  )
  expect(definitionOf(state.draft)).toEqual(definition)
})
