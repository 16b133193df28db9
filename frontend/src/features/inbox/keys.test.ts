import { describe, expect, it } from 'vitest'
import { requestKey, type KeyPress } from './keys'

const press = (key: string, change: Partial<KeyPress> = {}): KeyPress => ({
  key,
  code: `Key${key.toUpperCase()}`,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...change,
})

describe('requestKey', () => {
  it.each([
    ['Escape', press('Escape'), 'deny'],
    ['Ctrl Enter', press('Enter', { ctrlKey: true }), 'once'],
    ['Command Enter', press('Enter', { metaKey: true }), 'once'],
    ['Alt S', press('s', { altKey: true }), 'session'],
    ['Option S on a Mac', press('ß', { altKey: true, code: 'KeyS' }), 'session'],
    ['Alt T', press('t', { altKey: true }), 'always'],
    ['J', press('j'), 'next'],
    ['K', press('K'), 'previous'],
    ['Enter alone', press('Enter'), undefined],
    ['S alone', press('s'), undefined],
    ['Ctrl J', press('j', { ctrlKey: true }), undefined],
    ['Shift Escape', press('Escape', { shiftKey: true }), undefined],
  ])('%s', (_, key, want) => {
    expect(requestKey(key, false, true)).toBe(want)
  })

  it.each([
    ['Escape leaves a text, it does not deny', press('Escape'), undefined],
    ['letters are letters', press('j'), undefined],
    ['Ctrl Enter still approves', press('Enter', { ctrlKey: true }), 'once'],
  ])('while typing, %s', (_, key, want) => {
    expect(requestKey(key, true, true)).toBe(want)
  })

  it('keeps Escape when letters are off', () => {
    expect([requestKey(press('j'), false, false), requestKey(press('Escape'), false, false)]).toEqual([
      undefined,
      'deny',
    ])
  })
})
