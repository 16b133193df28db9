import type { InboxRequest } from '@/lib/api'

export interface Earlier {
  yes: number
  no: number
}

/** How a person answered before for the same tool of the same server, as far as the inbox remembers. */
export function earlierOf(request: InboxRequest, all: readonly InboxRequest[]): Earlier {
  const same = all.filter(
    (other) =>
      other.id !== request.id &&
      other.kind === request.kind &&
      other.server === request.server &&
      other.tool === request.tool &&
      other.call_kind === request.call_kind,
  )
  return {
    yes: same.filter((other) => other.status === 'approved').length,
    no: same.filter((other) => other.status === 'denied').length,
  }
}
