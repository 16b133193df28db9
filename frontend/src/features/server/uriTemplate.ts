// URI templates of MCP resources: RFC 6570 for text values, all four levels.

interface Expression {
  operator: string
  variables: { name: string; prefix: number | undefined }[]
}

type Part = string | Expression

interface Style {
  first: string
  separator: string
  named: boolean
  /** Written after the name of a named variable whose value is empty. */
  ifEmpty: string
  reserved: boolean
}

/** The table of RFC 6570 appendix A. */
const STYLES: Record<string, Style> = {
  '': { first: '', separator: ',', named: false, ifEmpty: '', reserved: false },
  '+': { first: '', separator: ',', named: false, ifEmpty: '', reserved: true },
  '#': { first: '#', separator: ',', named: false, ifEmpty: '', reserved: true },
  '.': { first: '.', separator: '.', named: false, ifEmpty: '', reserved: false },
  '/': { first: '/', separator: '/', named: false, ifEmpty: '', reserved: false },
  ';': { first: ';', separator: ';', named: true, ifEmpty: '', reserved: false },
  '?': { first: '?', separator: '&', named: true, ifEmpty: '=', reserved: false },
  '&': { first: '&', separator: '&', named: true, ifEmpty: '=', reserved: false },
}

const VARIABLE = /^((?:[\w.]|%[0-9a-f]{2})+)(?::([1-9]\d{0,3})|\*)?$/i

function parse(template: string): Part[] | undefined {
  const parts: Part[] = []
  for (const piece of template.split(/(\{[^{}]*\})/)) {
    const braced = /^\{([^{}]*)\}$/.exec(piece)
    if (!braced && /[{}]/.test(piece)) return undefined
    const part = braced ? parseExpression(braced[1] ?? '') : piece
    if (part === undefined) return undefined
    parts.push(part)
  }
  return parts
}

function parseExpression(body: string): Expression | undefined {
  const operator = /^[+#./;?&]/.exec(body)?.[0] ?? ''
  const variables = []
  for (const spec of body.slice(operator.length).split(',')) {
    const match = VARIABLE.exec(spec)
    if (!match?.[1]) return undefined
    variables.push({ name: match[1], prefix: match[2] === undefined ? undefined : Number(match[2]) })
  }
  return { operator, variables }
}

/** The names a template asks for, each once, in order; undefined when it is malformed. */
export function templateVariables(template: string): string[] | undefined {
  const parts = parse(template)
  if (!parts) return undefined
  const names = parts.flatMap((part) =>
    typeof part === 'string' ? [] : part.variables.map((variable) => variable.name),
  )
  return [...new Set(names)]
}

/** Puts values into a template. A name without value is left out, as the RFC says. Undefined when the template is malformed. */
export function expandTemplate(
  template: string,
  values: Readonly<Record<string, string | undefined>>,
): string | undefined {
  return parse(template)
    ?.map((part) => (typeof part === 'string' ? encodeText(part, true) : expand(part, values)))
    .join('')
}

function expand({ operator, variables }: Expression, values: Readonly<Record<string, string | undefined>>): string {
  const style = STYLES[operator]
  if (!style) return ''
  const texts: string[] = []
  for (const { name, prefix } of variables) {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    if (value === undefined) continue
    const cut = prefix === undefined ? value : Array.from(value).slice(0, prefix).join('')
    const text = encodeText(cut, style.reserved)
    if (!style.named) texts.push(text)
    else texts.push(text === '' ? `${name}${style.ifEmpty}` : `${name}=${text}`)
  }
  return texts.length === 0 ? '' : style.first + texts.join(style.separator)
}

const UNRESERVED = /[A-Za-z0-9\-._~]/
const RESERVED = /[:/?#[\]@!$&'()*+,;=]/

function encodeText(text: string, reserved: boolean): string {
  const pieces = reserved ? text.split(/(%[0-9A-Fa-f]{2})/) : [text]
  return pieces
    .map((piece) => (reserved && /^%[0-9A-Fa-f]{2}$/.test(piece) ? piece : encodePiece(piece, reserved)))
    .join('')
}

function encodePiece(text: string, reserved: boolean): string {
  let out = ''
  for (const char of text) {
    const plain = UNRESERVED.test(char) || (reserved && RESERVED.test(char))
    out += plain ? char : percentEncode(char)
  }
  return out
}

function percentEncode(char: string): string {
  const bytes = new TextEncoder().encode(char)
  return Array.from(bytes, (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')
}
