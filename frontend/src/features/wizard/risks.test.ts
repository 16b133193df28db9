import { expect, it } from 'vitest'
import type { Effect, Tool } from '@/lib/api'
import { byEffect, worstEffect } from './risks'

const tool = (name: string, effect: Effect): Tool => ({ server: 's', name, effect })

it('sorts tools by what they do', () => {
  const tools = [tool('drop', 'destroys'), tool('list', 'reads'), tool('insert', 'writes'), tool('get', 'reads')]
  expect(byEffect(tools)).toEqual({ reads: ['list', 'get'], writes: ['insert'], destroys: ['drop'] })
})

it('names the worst of them', () => {
  expect(worstEffect([tool('a', 'reads'), tool('b', 'destroys'), tool('c', 'writes')])).toBe('destroys')
  expect(worstEffect([tool('a', 'reads')])).toBe('reads')
  expect(worstEffect([])).toBe('nothing')
})
