import { cleanup, configure } from '@testing-library/react'
import { afterEach, vi } from 'vitest'
import { startI18n } from '@/lib/i18n'

startI18n('en')

// A bound, not an expectation: a busy machine loads a page slowly.
configure({ asyncUtilTimeout: 30_000 })

// What jsdom has not: layout, media queries, event streams.
Element.prototype.scrollTo = () => undefined
class Quiet {
  observe() {
    return undefined
  }
  unobserve() {
    return undefined
  }
  disconnect() {
    return undefined
  }
  close() {
    return undefined
  }
}
vi.stubGlobal('ResizeObserver', Quiet)
vi.stubGlobal('EventSource', Quiet)
vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: vi.fn(), removeEventListener: vi.fn() }))
vi.stubGlobal('scrollTo', vi.fn())
Element.prototype.scrollIntoView = vi.fn()
Element.prototype.scrollTo = vi.fn()
Element.prototype.hasPointerCapture = () => false

afterEach(() => {
  cleanup()
  localStorage.clear()
})
