import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { settingsScope } from '@/features/program'
import { changeModelKey, checkModel, renewSecretKey, runDoctor, type Renewal } from '@/lib/api'

/** What the machine has and what is missing. It starts programs to ask their versions, so it is not run again by itself. */
export const useDoctor = () =>
  useQuery({ queryKey: ['doctor'], queryFn: ({ signal }) => runDoctor(signal), staleTime: Infinity })

interface RenewOptions {
  onDone: (renewal: Renewal) => void
  onFailed: (error: unknown) => void
}

/** Makes a new key for the secrets in place of one that is lost. Whatever comes of it, what was known may have changed. */
export function useRenewSecretKey({ onDone, onFailed }: RenewOptions) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: renewSecretKey,
    onSuccess: onDone,
    onError: onFailed,
    onSettled: () =>
      Promise.all(['status', 'doctor', 'audit', 'servers'].map((key) => client.invalidateQueries({ queryKey: [key] }))),
  })
}

/** Keeps the key of the model, or forgets it: undefined. */
export function useChangeModelKey({ onFailed }: Pick<RenewOptions, 'onFailed'>) {
  const client = useQueryClient()
  return useMutation({
    scope: settingsScope,
    mutationFn: changeModelKey,
    onSuccess: (settings) => client.setQueryData(['settings'], settings),
    onError: onFailed,
  })
}

/** Tries the connection to the model, after the changes that are under way. */
export const useCheckModel = () => useMutation({ scope: settingsScope, mutationFn: checkModel })
