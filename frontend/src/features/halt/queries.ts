import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useStatus } from '@/features/program'
import { useFailureWords } from '@/features/vocabulary'
import { resumeCalls, stopCalls } from '@/lib/api'
import { useToast } from '@/ui'

/** That all calls are stopped, undefined while they go on. */
export const useHalt = () => useStatus().data?.calls_stopped

/** Ends all running calls and holds new ones; what fails is told in a toast, wherever the person is. */
export function useStopAll(): () => void {
  const { mutate } = useTold(stopCalls)
  return () => mutate()
}

/** Lets calls go on. */
export const useResume = () => useTold(resumeCalls)

function useTold(act: () => Promise<unknown>) {
  const client = useQueryClient()
  const toast = useToast()
  const words = useFailureWords()
  return useMutation({
    mutationFn: act,
    onSuccess: () => client.invalidateQueries({ queryKey: ['status'] }),
    onError: (error) => {
      const { what, fix } = words(error)
      toast({ tone: 'danger', text: `${what} ${fix}` })
    },
  })
}
