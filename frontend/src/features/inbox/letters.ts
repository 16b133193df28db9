export interface LetterRun {
  text: string
  /** The code of a single letter that is none of ASCII, as U+0430. */
  code?: string
}

/** Cuts a text into runs of ASCII, and single letters that are none. */
export function lettersOf(text: string): LetterRun[] {
  const runs: LetterRun[] = []
  for (const letter of text) {
    const point = letter.codePointAt(0) ?? 0
    const last = runs.at(-1)
    if (point > 0x7f) runs.push({ text: letter, code: `U+${point.toString(16).toUpperCase().padStart(4, '0')}` })
    else if (last && last.code === undefined) last.text += letter
    else runs.push({ text: letter })
  }
  return runs
}
