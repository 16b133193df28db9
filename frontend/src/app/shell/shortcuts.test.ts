import { describe, expect, it } from 'vitest'
import { shortcutOf, type KeyPress } from './shortcuts'

const press = (key: string, held: Partial<KeyPress> = {}): KeyPress => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...held,
})

describe('shortcutOf', () => {
  it.each([
    ['Ctrl K', press('k', { ctrlKey: true }), { does: 'palette' }],
    ['Ctrl N', press('n', { ctrlKey: true }), { does: 'add' }],
    ['Ctrl period', press('.', { ctrlKey: true }), { does: 'stop' }],
    ['Ctrl 2', press('2', { ctrlKey: true }), { does: 'section', index: 1 }],
    ['slash', press('/'), { does: 'search' }],
    ['question mark', press('?', { shiftKey: true }), { does: 'help' }],
    ['F6', press('F6'), { does: 'next-pane' }],
    ['Shift F6', press('F6', { shiftKey: true }), { does: 'previous-pane' }],
    ['a plain letter', press('k'), undefined],
    ['AltGr 1, which types a character', press('1', { ctrlKey: true, altKey: true }), undefined],
  ])('%s', (_name, key, want) => {
    expect(shortcutOf(key, false, true, false)).toEqual(want)
  })

  it('leaves one-letter keys to the text being typed, and to a person who turned them off', () => {
    expect(shortcutOf(press('/'), true, true, false)).toBeUndefined()
    expect(shortcutOf(press('/'), false, false, false)).toBeUndefined()
    expect(shortcutOf(press('k', { ctrlKey: true }), true, false, false)).toEqual({ does: 'palette' })
  })

  it('uses the Command key on macOS', () => {
    expect(shortcutOf(press('k', { metaKey: true }), false, true, true)).toEqual({ does: 'palette' })
    expect(shortcutOf(press('k', { ctrlKey: true }), false, true, true)).toBeUndefined()
  })
})
