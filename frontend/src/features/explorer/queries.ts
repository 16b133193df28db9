import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { browseTools, listRules, searchTools, showToolbox } from '@/lib/api'

export const useToolbox = (as: string) =>
  useQuery({ queryKey: ['toolbox', as], queryFn: ({ signal }) => showToolbox(as, signal) })

/** The tools that fit a question; nothing is asked for an empty one. The last answer stays until the next is there. */
export const useSearch = (question: string, as: string) =>
  useQuery({
    queryKey: ['toolbox', as, 'search', question],
    queryFn: ({ signal }) => searchTools(question, as, signal),
    enabled: question.trim() !== '',
    placeholderData: keepPreviousData,
  })

export const useCategory = (category: string, as: string) =>
  useQuery({
    queryKey: ['toolbox', as, 'category', category],
    queryFn: ({ signal }) => browseTools(category, as, signal),
    enabled: category !== '',
  })

/** The callers that rules speak of, besides this window and the command line. */
export const useNamedClients = (): string[] => {
  const rules = useQuery({ queryKey: ['policy'], queryFn: ({ signal }) => listRules(signal) }).data?.rules ?? []
  const named = rules.map(({ client }) => client ?? '').filter((name) => name !== '' && !/[*?[]/.test(name))
  return [...new Set(named)].filter((name) => name !== 'window' && name !== 'cli').sort()
}
