import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { CallKind } from './api'
import type { JsonObject } from './json'

/** What can be called: a tool, a resource or a prompt of a server. */
export interface Target {
  server: string
  kind: CallKind
  name: string
}

const filledKey = (from: string) => ['filled', from]
const tabs = { tool: 'tools', resource: 'resources', prompt: 'prompts' } as const

/**
 * Opens the form of an earlier call filled in; a person sends it or not. The arguments stay in memory: an address and
 * the history of a browser are no place for them.
 */
export function useFillIn(): (from: string, target: Target, args: JsonObject) => void {
  const client = useQueryClient()
  const navigate = useNavigate()
  return (from, { server, kind, name }, args) => {
    client.setQueryData(filledKey(from), args)
    const item = kind === 'tool' ? { tool: name } : { item: name }
    void navigate({ to: '/servers/$id', params: { id: server }, search: { tab: tabs[kind], ...item, from } })
  }
}

/** Reads the arguments of the call that a form was opened from; undefined after a reload, or without such a call. */
export function useFilledIn(from: string | undefined): JsonObject | undefined {
  return useQueryClient().getQueryData<JsonObject>(filledKey(from ?? ''))
}
