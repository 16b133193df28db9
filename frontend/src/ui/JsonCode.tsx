import type { ReactNode } from 'react'
import { Code, type CodeProps } from './Code'

/** Above this many characters colours cost more than they help. */
const MAX_COLOURED = 40_000
const token = /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d[\d.eE+-]*)|\b(true|false|null)\b/g

/** JSON text in the colours of code. */
export function JsonCode({ text, ...rest }: Omit<CodeProps, 'children'> & { text: string }) {
  return <Code {...rest}>{text.length > MAX_COLOURED ? text : coloured(text)}</Code>
}

function coloured(text: string): ReactNode[] {
  const out: ReactNode[] = []
  let from = 0
  for (const match of text.matchAll(token)) {
    const [whole, string, colon] = match
    out.push(text.slice(from, match.index))
    const colour =
      string === undefined ? 'text-code-number' : colon === undefined ? 'text-code-string' : 'text-code-key'
    out.push(
      <span key={match.index} className={colour}>
        {string ?? whole}
      </span>,
    )
    out.push(colon ?? '')
    from = match.index + whole.length
  }
  out.push(text.slice(from))
  return out
}
