import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

/** The layout of docs/architecture.md section 9, as data: which area may import which. */
const mayImport: Record<string, readonly string[]> = {
  '': ['app', 'lib', 'styles', 'locales'], // main.tsx
  app: ['app', 'routes', 'features', 'ui', 'lib', 'locales', 'styles'],
  routes: ['routes', 'features', 'ui', 'lib'],
  features: ['features', 'ui', 'lib'],
  ui: ['ui', 'lib'],
  lib: ['lib', 'locales'],
  locales: [],
  styles: [],
}

/** What ui/ must not know: words, features and the API. */
const notInUi = [/^@\/lib\/(api|i18n)/, /^(react-)?i18next$/]

/** The ways to reach the API, which lib/api alone knows. */
const wire = /\b(fetch\s*\(|new\s+EventSource\b|new\s+XMLHttpRequest\b|new\s+WebSocket\b)/

const longest: Record<string, number> = { '.tsx': 200, '.ts': 400 }

interface Source {
  path: string
  area: string
  imports: string[]
  text: string
  lines: number
}

const root = dirname(fileURLToPath(import.meta.url))

const sources: Source[] = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => /\.tsx?$/.test(path) && !path.endsWith('.d.ts'))
  .map((path) => {
    const text = readFileSync(join(root, path), 'utf8')
    const imports = [...text.matchAll(/(?:^|\n)(?:import|export)\b[^'"\n]*?(?:\n[^'"]*?)?from\s+['"]([^'"]+)['"]/g)]
    const bare = [...text.matchAll(/\bimport\s*\(?\s*['"]([^'"]+)['"]/g)]
    return {
      path,
      area: path.includes('/') ? path.slice(0, path.indexOf('/')) : '',
      imports: [...imports, ...bare].map((match) => match[1] ?? ''),
      text,
      lines: text.split('\n').length - 1,
    }
  })

const isTest = ({ path, area }: Source) => /\.test\.tsx?$/.test(path) || area === 'testing'
const product = sources.filter((source) => !isTest(source))

/** The path below src/ that an import of ours names, or undefined for a library. */
function ours(source: Source, imported: string): string | undefined {
  if (imported.startsWith('@/')) return imported.slice(2)
  if (imported.startsWith('.')) return posix.normalize(posix.join(posix.dirname(source.path), imported))
  return undefined
}

function complaints(judge: (source: Source) => string[]): string[] {
  return product.flatMap((source) => judge(source).map((complaint) => `${source.path}: ${complaint}`))
}

describe('architecture', () => {
  it('is looked at as a whole', () => {
    expect(product.length).toBeGreaterThan(20)
    expect([...new Set(product.map(({ area }) => area))].filter((area) => !(area in mayImport))).toEqual([])
  })

  it('lets areas import only what is below them', () => {
    const found = complaints((source) =>
      source.imports.flatMap((imported) => {
        const target = ours(source, imported)?.split('/')[0]
        if (target === undefined || mayImport[source.area]?.includes(target)) return []
        return [`${source.area || 'main'} does not import ${imported}`]
      }),
    )
    expect(found).toEqual([])
  })

  it('has features meet only at their index.ts', () => {
    const found = complaints((source) =>
      source.imports.flatMap((imported) => {
        const target = ours(source, imported)?.split('/') ?? []
        const [area, feature, ...inside] = target
        const own = source.path.startsWith(`features/${String(feature)}/`)
        return area === 'features' && inside.length > 0 && !own ? [`goes past the door of ${imported}`] : []
      }),
    )
    expect(found).toEqual([])
  })

  it('keeps the API behind lib/api', () => {
    const found = complaints(({ path, text }) =>
      !path.startsWith('lib/api/') && wire.test(text) ? ['reaches the API by itself'] : [],
    )
    expect(found).toEqual([])
  })

  it('keeps ui free of features, API and words', () => {
    const found = complaints(({ area, imports }) =>
      area === 'ui' ? imports.filter((name) => notInUi.some((forbidden) => forbidden.test(name))).map(String) : [],
    )
    expect(found).toEqual([])
  })

  it('has short files', () => {
    const found = sources.flatMap(({ path, lines }) => {
      const most = longest[posix.extname(path)] ?? 0
      return lines > most ? [`${path} has ${String(lines)} lines, more than ${String(most)}`] : []
    })
    expect(found).toEqual([])
  })
})
