import { path, query, request } from './client'
import type { SeenTool, ToolboxView, ToolHit } from './types'

type Signal = AbortSignal | undefined

/** At a glance what a caller sees; "" is whoever asks. */
export const showToolbox = (as: string, signal?: Signal) =>
  request<ToolboxView>('GET', `/api/toolbox${query({ as })}`, undefined, signal)

/** The tools that fit a question, the best first, with why. */
export const searchTools = async (question: string, as: string, signal?: Signal) =>
  (
    await request<{ results: ToolHit[] }>(
      'GET',
      `/api/toolbox/search${query({ query: question, as, limit: '12' })}`,
      undefined,
      signal,
    )
  ).results

/** The tools of one category. */
export const browseTools = async (category: string, as: string, signal?: Signal) =>
  (
    await request<{ tools: SeenTool[] }>(
      'GET',
      `${path`/api/toolbox/categories/${category}`}${query({ as })}`,
      undefined,
      signal,
    )
  ).tools
