import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { useArmed } from './useArmed'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function pass(ms: number): void {
  act(() => {
    vi.advanceTimersByTime(ms)
  })
}

it('is armed half a second after the content appeared, and again after it changed', () => {
  const { result, rerender } = renderHook(({ content }) => useArmed(content), { initialProps: { content: 'a' } })
  pass(499)
  expect(result.current).toBe(false)
  pass(1)
  expect(result.current).toBe(true)
  rerender({ content: 'b' })
  expect(result.current).toBe(false)
  pass(400)
  rerender({ content: 'c' })
  pass(400)
  expect(result.current).toBe(false)
  pass(100)
  expect(result.current).toBe(true)
})
