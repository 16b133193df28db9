import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { cancelTest, getTest, startTest, updateServer, type Definition, type Server, type TestReport } from '@/lib/api'

export interface Retest {
  /** The test while it runs, and after it failed. */
  report: TestReport | undefined
  busy: boolean
  /** What is tested, or was last. */
  definition: Definition | undefined
  error: Error | undefined
  run: (definition: Definition) => void
  cancel: () => void
}

/** Tests a changed definition and saves it when the test passes; nothing is saved before. */
export function useRetest(server: Server, onSaved: (saved: Server) => void): Retest {
  const client = useQueryClient()
  const start = useMutation({ mutationFn: (definition: Definition) => startTest(definition, { serverId: server.id }) })
  const id = start.data?.id
  const save = useMutation({
    mutationFn: ({ definition, testId }: { definition: Definition; testId: string }) =>
      updateServer(server.id, definition, testId),
    onSuccess: (changed) => {
      client.setQueryData(['servers', server.id], changed)
      void client.invalidateQueries({ queryKey: ['servers'] })
      start.reset()
      onSaved(changed)
    },
  })
  const definition = start.variables
  const test = useQuery<TestReport>({
    queryKey: ['tests', id],
    enabled: id !== undefined,
    refetchInterval: ({ state }) => (state.data?.running === false ? false : 400),
    queryFn: ({ signal }) => getTest(id ?? '', signal),
  })
  const passed = test.data && !test.data.running && test.data.ok ? test.data.id : undefined
  const saved = useRef<string>(undefined)
  const { mutate } = save
  useEffect(() => {
    // A report is fetched as often as something is heard of its test; it is saved once.
    if (passed === undefined || definition === undefined || saved.current === passed) return
    saved.current = passed
    mutate({ definition, testId: passed })
  }, [passed, definition, mutate])
  const report = id === undefined ? undefined : (test.data ?? start.data)
  return {
    report,
    busy: start.isPending || save.isPending || report?.running === true,
    definition,
    error: start.error ?? save.error ?? test.error ?? undefined,
    run: (changed) => {
      save.reset()
      start.mutate(changed)
    },
    cancel: () => id !== undefined && void cancelTest(id).finally(() => start.reset()),
  }
}
