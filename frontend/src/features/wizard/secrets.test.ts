import { describe, expect, it } from 'vitest'
import { isKept, looksSecret, secretSpans } from './secrets'

describe('looksSecret', () => {
  it.each([
    ['GITHUB_TOKEN', 'abc', true],
    ['X-API-Key', 'abc', true],
    ['OPENAI_KEY', 'abc', true],
    ['Authorization', 'Bearer abc', true],
    ['DATABASE_URL', 'postgres://u:pass@host/db', true],
    ['WHATEVER', 'ghp_0123456789abcdef', true],
    ['GITHUB_TOKEN', '${GITHUB_TOKEN}', false],
    ['PGAPPNAME', 'apollia', false],
    ['KEYBOARD', 'azerty', false],
    ['BASE_URL', 'https://host/path', false],
  ])('%s=%s: %s', (name, value, want) => {
    expect(looksSecret(name, value)).toBe(want)
  })
})

it('knows a secret that is kept already', () => {
  expect(isKept('${secret:pg/DATABASE_URL}')).toBe(true)
  expect(isKept('Bearer ${secret:acme/Authorization}')).toBe(true)
  expect(isKept('${DATABASE_URL}')).toBe(false)
})

describe('secretSpans', () => {
  const hidden = (text: string, known: string[] = []) =>
    secretSpans(text, known).map(({ start, end }) => text.slice(start, end))

  it.each([
    ['JSON', '{"env": {"API_KEY": "s3cret-value", "A": "plain"}}', ['s3cret-value']],
    ['a shell', 'GITHUB_TOKEN=ghp_abcdefgh npx server', ['ghp_abcdefgh']],
    ['a header', 'claude mcp add --header "Authorization: Bearer abcdef"', ['Bearer abcdef']],
    ['TOML', 'API_TOKEN = "abcdef"', ['abcdef']],
    ['a reference', '{"API_KEY": "${API_KEY}"}', []],
    ['nothing secret', 'npx -y server --port 8080', []],
  ])('finds them in %s', (_where, text, want) => {
    expect(hidden(text)).toEqual(want)
  })

  it('adds what the core found, once where both see it', () => {
    expect(hidden('npx server hunter22', ['hunter22'])).toEqual(['hunter22'])
    expect(hidden('TOKEN=hunter22', ['hunter22'])).toEqual(['hunter22'])
  })
})
