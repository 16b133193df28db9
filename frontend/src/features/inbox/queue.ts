// The order and grouping of the inbox: what waits first, the riskiest and then the oldest on top; then today's answers.
import type { InboxRequest } from '@/lib/api'

/** One card of the inbox: a request, with the ones that ask for the very same thing. */
export interface Card {
  /** The oldest of them; its id names the card. */
  request: InboxRequest
  /** All of them, the oldest first. */
  same: InboxRequest[]
}

export interface Queue {
  waiting: Card[]
  /** Answered on the same day as now, the latest first. */
  today: Card[]
  /** The last answer ever given, for the empty page; undefined when there was none. */
  last: Card | undefined
}

export function queueOf(requests: readonly InboxRequest[], now: Date): Queue {
  const waiting = requests.filter((request) => request.status === 'waiting')
  const closed = requests.filter((request) => request.status !== 'waiting' && closedAt(request) !== '')
  const latest = joined(
    closed.toSorted((a, b) => Date.parse(closedAt(b)) - Date.parse(closedAt(a))),
    sameAnswer,
  )
  return {
    waiting: identical(waiting).toSorted(byUrgency),
    today: latest.filter((card) => isSameDay(new Date(closedAt(card.request)), now)),
    last: latest[0],
  }
}

/** When a request stopped waiting; empty while it waits, and for one that ended with its session. */
export function closedAt(request: InboxRequest): string {
  if (request.answer) return request.answer.at
  if (request.status === 'lapsed' && request.failure) return request.created_at // nobody was asked
  return request.status === 'expired' ? (request.expires_at ?? '') : ''
}

function identical(requests: readonly InboxRequest[]): Card[] {
  const cards = new Map<string, InboxRequest[]>()
  const oldestFirst = requests.toSorted(byAge)
  for (const request of oldestFirst) {
    const key = askKey(request)
    cards.set(key, [...(cards.get(key) ?? []), request])
  }
  return [...cards.values()].flatMap(([first, ...rest]) => (first ? [{ request: first, same: [first, ...rest] }] : []))
}

/** Equal for requests that one answer can serve. Without digests a request is only equal to itself. */
function askKey(request: InboxRequest): string {
  if (request.kind !== 'tool' || !request.arguments_digest) return request.id
  const { caller, server, call_kind, tool, arguments_digest, definition_digest } = request
  return JSON.stringify([
    caller.kind,
    caller.name,
    caller.user,
    caller.session,
    server,
    call_kind,
    tool,
    arguments_digest,
    definition_digest,
  ])
}

/** Joins neighbours, the first of a run standing for it. */
function joined(requests: readonly InboxRequest[], same: (a: InboxRequest, b: InboxRequest) => boolean): Card[] {
  const cards: Card[] = []
  for (const request of requests) {
    const last = cards.at(-1)
    if (last && same(last.request, request)) last.same.push(request)
    else cards.push({ request, same: [request] })
  }
  return cards
}

function sameAnswer(a: InboxRequest, b: InboxRequest): boolean {
  return (
    a.kind === 'tool' &&
    b.kind === 'tool' &&
    a.status === b.status &&
    a.server === b.server &&
    a.tool === b.tool &&
    a.caller.name === b.caller.name &&
    a.answer?.scope === b.answer?.scope &&
    isSameDay(new Date(closedAt(a)), new Date(closedAt(b)))
  )
}

const kindRanks = { tool: 0, sampling: 4, elicitation_form: 5, elicitation_url: 5, definition: 6 }
const effectRanks = { destroys: 0, writes: 1, reads: 2 }

function rank({ kind, effect }: InboxRequest): number {
  return kindRanks[kind] + (kind === 'tool' ? effectRanks[effect ?? 'writes'] : 0)
}

function byUrgency(a: Card, b: Card): number {
  return rank(a.request) - rank(b.request) || byAge(a.request, b.request)
}

function byAge(a: InboxRequest, b: InboxRequest): number {
  return Date.parse(a.created_at) - Date.parse(b.created_at)
}

function isSameDay(a: Date, b: Date): boolean {
  return a.toDateString() === b.toDateString()
}

/** The card to open after the given one was answered: the next in the list, else the one before. */
export function nextCard(waiting: readonly Card[], answered: string): string | undefined {
  const at = waiting.findIndex((card) => card.request.id === answered)
  return (waiting[at + 1] ?? waiting[at - 1])?.request.id
}

/** The card one step away in the given list; the ends hold. */
export function stepCard(cards: readonly Card[], from: string | undefined, by: -1 | 1): string | undefined {
  const at = cards.findIndex((card) => card.request.id === from)
  if (at < 0) return cards[0]?.request.id
  return cards[Math.min(Math.max(at + by, 0), cards.length - 1)]?.request.id
}
