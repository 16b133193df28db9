import { secretSpans } from './secrets'

export type InkKind = 'plain' | 'key' | 'string' | 'secret'

/** A stretch of text in one ink. */
export interface Ink {
  kind: InkKind
  text: string
}

const quotedText = /"(?:[^"\\\n]|\\.)*"/g

/** Splits a pasted text into inks: keys, strings, and secrets as dots of the same length. */
export function highlight(text: string, knownSecrets: readonly string[]): Ink[] {
  const kinds = new Array<InkKind>(text.length).fill('plain')
  for (const match of text.matchAll(quotedText)) {
    const end = match.index + match[0].length
    kinds.fill(/^\s*:/.test(text.slice(end)) ? 'key' : 'string', match.index, end)
  }
  for (const { start, end } of secretSpans(text, knownSecrets)) kinds.fill('secret', start, end)
  const inks: Ink[] = []
  kinds.forEach((kind, at) => {
    const letter = kind === 'secret' ? '•' : text.charAt(at)
    const last = inks.at(-1)
    if (last?.kind === kind) last.text += letter
    else inks.push({ kind, text: letter })
  })
  return inks
}
