import { expect, it } from 'vitest'
import { endpointOf, isOwn } from './endpoint'

it.each([
  ['', ''],
  ['127.0.0.1:11434/v1', 'http://127.0.0.1:11434/v1'],
  ['localhost:1234/v1', 'http://localhost:1234/v1'],
  ['[::1]/v1', 'http://[::1]/v1'],
  ['api.openai.com/v1', 'https://api.openai.com/v1'],
  ['localhost.evil.test/v1', 'https://localhost.evil.test/v1'],
  ['http://gpu.local/v1', 'http://gpu.local/v1'],
])('%s is meant as %s', (typed, meant) => {
  expect(endpointOf(typed)).toBe(meant)
})

it('knows a model of this computer', () => {
  expect(['http://127.0.0.1:11434/v1', 'http://localhost', 'https://api.openai.com/v1'].map(isOwn)).toEqual([
    true,
    true,
    false,
  ])
})
