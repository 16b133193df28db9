import { hasReference } from '@/lib/reference'

export { hasReference, isKept } from '@/lib/reference'

/** Words in a name that make its value a secret. */
const secretName =
  /(token|secret|passw(or)?d|passphrase|api[-_]?key|private[-_]?key|access[-_]?key|credential|authorization|cookie|(^|_)(key|pat|pwd|dsn)$)/i
/** Shapes of values that are secrets whatever they are called: keys of known makers, a password in an address. */
const secretValue =
  /^(bearer\s+\S+|basic\s+\S+|(sk|pk|rk|ghp|gho|ghs|glpat|xox[abp]|npm|hf)[-_][\w-]{8,}|eyJ[\w-]+\.[\w-]+.*|\w+:\/\/[^\s/@:]+:[^\s/@]+@.*)$/i

/** Whether a value should go to the keyring. The core decides again when it saves. */
export function looksSecret(name: string, value: string): boolean {
  if (value !== '' && hasReference(value)) return false
  return secretName.test(name) || secretValue.test(value.trim())
}

export interface Span {
  start: number
  end: number
}

/** name: value, name=value, "name": "value", --header "Name: value" — with a name that makes it a secret. */
const assigned =
  /([\w-]*(?:token|secret|passw(?:or)?d|api[-_]?key|authorization|credential|_key|_pat|_dsn|database_url)[\w-]*)["']?\s*[:=]\s*["']?((?:Bearer\s+)?(?:\$\{[^}]*\}|[^\s"',}&])+)/gi

/** Where a pasted text holds secrets: those the core found in it, and those that look like one already while typing. */
export function secretSpans(text: string, known: readonly string[]): Span[] {
  const spans: Span[] = []
  for (const match of text.matchAll(assigned)) {
    const value = match[2] ?? ''
    if (hasReference(value) || value.length < 4) continue
    const start = match.index + match[0].lastIndexOf(value)
    spans.push({ start, end: start + value.length })
  }
  for (const secret of known) {
    if (secret.length < 4) continue
    for (let at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at + secret.length)) {
      spans.push({ start: at, end: at + secret.length })
    }
  }
  return merged(spans)
}

function merged(spans: Span[]): Span[] {
  const out: Span[] = []
  for (const span of [...spans].sort((a, b) => a.start - b.start)) {
    const last = out.at(-1)
    if (last && span.start <= last.end) last.end = Math.max(last.end, span.end)
    else out.push({ ...span })
  }
  return out
}
