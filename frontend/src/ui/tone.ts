/** The colour of a meaning: safran (attn) only where a person should look. */
export type Tone = 'neutral' | 'ok' | 'attn' | 'danger' | 'accent'

/** The colour of words in a tone. */
export const toneText: Record<Tone, string> = {
  neutral: 'text-ink-3',
  ok: 'text-ok-text',
  attn: 'text-attn-text',
  danger: 'text-danger-text',
  accent: 'text-accent-text',
}

/** The colour of strokes and glyphs in a tone. */
export const toneMark: Record<Tone, string> = {
  neutral: 'text-line-control',
  ok: 'text-ok',
  attn: 'text-attn-mark',
  danger: 'text-danger',
  accent: 'text-accent',
}
