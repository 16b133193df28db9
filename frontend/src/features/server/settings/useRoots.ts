import { useMutation, useQueryClient } from '@tanstack/react-query'
import { changeRoots, type RootsChange } from '@/lib/api'

/** Changes the folders that a server is told of. */
export function useRoots(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (change: RootsChange) => changeRoots(id, change),
    onSuccess: (changed) => {
      client.setQueryData(['servers', id], changed)
      void client.invalidateQueries({ queryKey: ['servers'] })
    },
  })
}
