import { useQuery } from '@tanstack/react-query'
import { runDoctor } from '@/lib/api'

/** What the machine has and what is missing. It starts programs to ask their versions, so it is not run again by itself. */
export const useDoctor = () =>
  useQuery({ queryKey: ['doctor'], queryFn: ({ signal }) => runDoctor(signal), staleTime: Infinity })
