import { useQuery } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import { completeArgument } from '@/lib/api'
import { useRested } from '@/lib/useRested'

/** What the arguments of a form belong to, where the server proposes values for them. */
export interface Proposing {
  server: string
  prompt?: string
  template?: string
  /** The arguments as they are filled in. */
  given: Record<string, string>
}

/** Set around the form of a prompt or of a template whose server completes arguments. */
export const Proposals = createContext<Proposing | undefined>(undefined)

/** How long a person stops typing before the server is asked, in milliseconds. */
const REST = 150

const none: readonly string[] = []

/** The values that the server proposes for a text, by its JSON pointer; undefined where it proposes nothing at all. */
export function useProposals(at: string, typed: string, wanted: boolean): readonly string[] | undefined {
  const about = useContext(Proposals)
  const value = useRested(typed, REST)
  const argument = at.slice(1)
  const others = Object.entries(about?.given ?? {}).filter(([name]) => name !== argument)
  const asked = {
    argument,
    value,
    ...(about?.prompt === undefined ? {} : { prompt: about.prompt }),
    ...(about?.template === undefined ? {} : { template: about.template }),
    ...(others.length === 0 ? {} : { given: Object.fromEntries(others) }),
  }
  const proposed = useQuery({
    queryKey: ['proposals', about?.server, asked],
    enabled: about !== undefined && wanted,
    queryFn: ({ signal }) => completeArgument(about?.server ?? '', asked, signal),
    placeholderData: (before) => before,
    retry: false,
    staleTime: Infinity,
    gcTime: 60_000,
  })
  return about === undefined ? undefined : (proposed.data?.values ?? none)
}

/** The filled texts of a form. */
export const textsIn = (value: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== ''),
  )
