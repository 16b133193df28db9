import { useQuery } from '@tanstack/react-query'
import { listActivity, type Entry } from '@/lib/api'
import { callerNames } from './people'
import { useApprovals, useRules } from './queries'

/** The lines of today's journal, for who called and what a rule would have changed. */
export function useToday(): readonly Entry[] {
  const since = new Date()
  since.setHours(0, 0, 0, 0)
  const today = useQuery({
    queryKey: ['activity', 'today', since.toISOString()],
    queryFn: ({ signal }) => listActivity({ since: since.toISOString(), limit: 1000 }, signal),
  })
  return today.data?.entries ?? []
}

/** The names of everyone who may call. */
export function useCallers(): string[] {
  return callerNames(useRules().data?.rules ?? [], useApprovals().data ?? [], useToday())
}
