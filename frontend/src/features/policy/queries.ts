import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import {
  acceptLoss,
  addRule,
  deleteRule,
  explain,
  listApprovals,
  listRules,
  revokeApproval,
  type CallKind,
} from '@/lib/api'

export const useRules = () => useQuery({ queryKey: ['policy'], queryFn: ({ signal }) => listRules(signal) })

/** Adds a rule; the answer to every question may be another one afterwards. */
export function useAddRule() {
  const client = useQueryClient()
  return useMutation({ mutationFn: addRule, onSettled: () => client.invalidateQueries({ queryKey: ['policy'] }) })
}

export function useDeleteRule() {
  const client = useQueryClient()
  return useMutation({ mutationFn: deleteRule, onSettled: () => client.invalidateQueries({ queryKey: ['policy'] }) })
}

export function useAcceptLoss() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: acceptLoss,
    onSettled: () =>
      Promise.all(['policy', 'status', 'explain'].map((key) => client.invalidateQueries({ queryKey: [key] }))),
  })
}

export interface Why {
  server: string
  name: string
  kind: CallKind
  /** A caller's name, such as "cli". */
  caller: string
}

/** What the rules say of a call, and why; asked once there is a tool to ask about. */
export const useExplain = (why: Why) =>
  useQuery({
    queryKey: ['explain', why],
    queryFn: ({ signal }) => explain(why, signal),
    enabled: why.server !== '' && why.name !== '',
  })

export const useApprovals = () => useQuery({ queryKey: ['approvals'], queryFn: ({ signal }) => listApprovals(signal) })

export function useRevoke() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: revokeApproval,
    onSettled: () => client.invalidateQueries({ queryKey: ['approvals'] }),
  })
}
