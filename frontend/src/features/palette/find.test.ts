import { Wrench } from 'lucide-react'
import { describe, expect, it } from 'vitest'
import type { Entry, Group } from './entries'
import { find, fit, marks } from './find'

const entry = (label: string, group: Group, note = ''): Entry => ({
  key: `${group}:${label}`,
  group,
  icon: Wrench,
  label,
  note,
  choice: { go: 'page', to: '/' },
})
const labels = (entries: readonly Entry[]) => entries.map(({ label }) => label)

describe('fit', () => {
  it.each([
    ['GitHub', 'git', 3],
    ['mcp github', 'git', 2],
    ['github.create_issue', 'issue', 2],
    ['Réglages', 'regl', 3],
    ['digit', 'git', 1],
    ['notion', 'git', 0],
  ])('%s for %s: %i', (text, word, want) => {
    expect(fit(text, word)).toBe(want)
  })
})

describe('find', () => {
  const all = [
    entry('notion', 'servers', 'git of notes'),
    entry('github', 'servers'),
    entry('github.search', 'tools'),
    entry('Désactiver github', 'actions'),
    entry('Appels à github', 'elsewhere'),
  ]

  it('keeps the groups in order and puts the best match of each first', () => {
    expect(labels(find(all, 'git'))).toEqual([
      'github',
      'notion',
      'github.search',
      'Désactiver github',
      'Appels à github',
    ])
  })

  it('wants every word', () => {
    expect(labels(find(all, 'github desactiver'))).toEqual(['Désactiver github'])
    expect(find(all, 'github zzz')).toEqual([])
  })

  it('keeps actions only after ">"', () => {
    expect(labels(find(all, '> git'))).toEqual(['Désactiver github'])
    expect(labels(find(all, '>'))).toEqual(['Désactiver github'])
  })

  it('shows ten rows at most, and none of the groups starves', () => {
    const many = [...Array.from({ length: 30 }, (_, n) => entry(`git${n}`, 'tools')), entry('git action', 'actions')]
    const found = find(many, 'git')
    expect(found).toHaveLength(10)
    expect(labels(found)).toContain('git action')
  })
})

describe('marks', () => {
  it('marks what matches, accents aside', () => {
    expect(marks('Désactiver github', 'desact hub')).toEqual([
      { text: 'Désact', hit: true },
      { text: 'iver git', hit: false },
      { text: 'hub', hit: true },
    ])
  })

  it('marks nothing for nothing, nor for signs that mean something in patterns', () => {
    expect(marks('github', '')).toEqual([{ text: 'github', hit: false }])
    expect(marks('a.b', '(.')).toEqual([{ text: 'a.b', hit: false }])
  })
})
