import { Wrench } from 'lucide-react'
import { beforeEach, expect, it } from 'vitest'
import type { Entry } from './entries'
import { recentKeys, recentOf, remember } from './recent'

beforeEach(() => localStorage.clear())

it('keeps the five latest, once each', () => {
  for (const key of ['a', 'b', 'c', 'd', 'e', 'f', 'c']) remember(key)
  expect(recentKeys()).toEqual(['c', 'f', 'e', 'd', 'b'])
})

it('survives a value that is not ours', () => {
  localStorage.setItem('apollia.recent', '{broken')
  expect(recentKeys()).toEqual([])
})

it('leaves out actions and what is gone', () => {
  const entry = (key: string, group: Entry['group']): Entry => ({
    key,
    group,
    icon: Wrench,
    label: key,
    choice: { go: 'page', to: '/' },
  })
  const all = [entry('server', 'servers'), entry('action', 'actions')]
  expect(recentOf(all, ['gone', 'action', 'server'])).toEqual([entry('server', 'recent')])
})
