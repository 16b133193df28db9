import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import en from '@/locales/en.json'
import fr from '@/locales/fr.json'

interface Words {
  [key: string]: string | Words
}

const src = resolve(import.meta.dirname, '..')

function flat(words: Words, prefix = ''): Map<string, string> {
  const all = new Map<string, string>()
  for (const [key, value] of Object.entries(words)) {
    if (typeof value === 'string') all.set(prefix + key, value)
    else for (const [inner, text] of flat(value, `${prefix}${key}.`)) all.set(inner, text)
  }
  return all
}

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return entry.name === 'testing' ? [] : sources(path)
    return /\.tsx?$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name) ? [path] : []
  })
}

function goSources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.go') && !name.endsWith('_test.go'))
    .map((name) => join(folder, name))
}

const french = flat(fr)
const english = flat(en)
const code = sources(src).map((path) => readFileSync(path, 'utf8'))
const bare = (key: string) => key.replace(/_(zero|one|two|few|many|other)$/, '')
const known = new Set([...french.keys()].map(bare))
/** Keys in quotes, such as t('common.close'). */
const quoted = new Set(
  code.flatMap((text) => [...text.matchAll(/['"]([a-z]\w*(?:\.[\w-]+)+)['"]/g)].map((m) => m[1] ?? '')),
)
/** Keys with a part that is computed, such as t(`states.${state}`). */
const computed = code
  .flatMap((text) => [...text.matchAll(/`([a-z]\w*\.[\w.]*\$\{[^`]*)`/g)].map((m) => m[1] ?? ''))
  .map((template) => new RegExp(`^${template.replace(/\./g, '\\.').replace(/\$\{[^}]*\}/g, '[\\w.-]+')}$`))

describe('the words of the interface', () => {
  it('have the same keys in both languages', () => {
    expect([...english.keys()].sort()).toEqual([...french.keys()].sort())
  })

  it('have the same facts in both languages', () => {
    const facts = (text = '') => [...new Set([...text.matchAll(/\{\{(\w+)\}\}/g)].map((m) => m[1]))].sort()
    const differ = [...french].filter(([key, text]) => facts(text).join() !== facts(english.get(key)).join())
    expect(differ.map(([key]) => key)).toEqual([])
  })

  it('exist for every key the code asks for', () => {
    const asked = code.flatMap((text) => [...text.matchAll(/\bt\(\s*['"]([\w.]+)['"]/g)].map((m) => m[1] ?? ''))
    expect([...new Set(asked)].filter((key) => !known.has(key))).toEqual([])
  })

  it('are all used', () => {
    const used = (key: string) => quoted.has(key) || computed.some((pattern) => pattern.test(key))
    expect([...known].filter((key) => !used(key))).toEqual([])
  })

  it('are never empty, never shout and never say oops', () => {
    const wrong = [...french, ...english].filter(
      ([, text]) => text.trim() === '' || /oups|oops/i.test(text) || text.endsWith('!'),
    )
    expect(wrong).toEqual([])
  })

  it('have French spaces: run "npm run words" to set them', () => {
    const wrong = [...french].filter(([, text]) => / [;:!?%»]|« /.test(text) || text.includes("'"))
    expect(wrong).toEqual([])
  })

  it('name every failure that the core can name', () => {
    const domain = readFileSync(resolve(src, '../../backend/domain/error.go'), 'utf8')
    const codes = [...domain.matchAll(/^\s*Code\w+\s+Code\s+=\s+"(\w+)"/gm)].map((m) => m[1] ?? '')
    expect(codes.length).toBeGreaterThan(40)
    const unnamed = codes.filter((name) => !known.has(`errors.${name}.what`) || !known.has(`errors.${name}.do`))
    expect(unnamed).toEqual([])
  })

  it('name every finding that the core can make', () => {
    const domain = readFileSync(resolve(src, '../../backend/domain/finding.go'), 'utf8')
    const codes = [...domain.matchAll(/ FindingCode\s+= "(\w+)"/g)].map((m) => m[1] ?? '')
    expect(codes.length).toBeGreaterThan(5)
    expect(codes.filter((name) => !known.has(`findings.codes.${name}`))).toEqual([])
  })

  it('say every reason that the core can give', () => {
    const core = goSources(resolve(src, '../../backend')).map((path) => readFileSync(path, 'utf8'))
    const given = (pattern: RegExp) => core.flatMap((text) => [...text.matchAll(pattern)].map((m) => m[1] ?? ''))
    const invalid = given(/\binvalid\("(\w+)"/g)
    const others = given(
      /(?:"reason":\s*|\["reason"\] = |\breason\w+\s+= |\.cutShort\(|\bended\(|\bnotConforming\([^,]+, )"(\w+)"/g,
    )
    expect(invalid.length).toBeGreaterThan(15)
    expect(others.length).toBeGreaterThan(10)
    const said = new Set([...french.keys()].flatMap((key) => /^errors\.\w+\.reasons\.(\w+)$/.exec(key)?.[1] ?? []))
    const silent = [
      ...invalid.filter((reason) => !french.has(`errors.invalid_input.reasons.${reason}`)),
      ...others.filter((reason) => !said.has(reason)),
    ]
    expect(silent).toEqual([])
    expect([...said].filter((reason) => ![...invalid, ...others].includes(reason))).toEqual([])
  })
})
