import { fold } from '@/features/connexions'
import type { Effect, ToolView } from '@/lib/api'

export interface ToolGroup {
  effect: Effect
  tools: ToolView[]
}

const order: readonly Effect[] = ['reads', 'writes', 'destroys']

/** Tools by what they do to the world, those that read first; a filter looks into names, titles and descriptions. */
export function groupTools(tools: readonly ToolView[], filter: string): ToolGroup[] {
  const wanted = fold(filter)
  const found = tools.filter((tool) =>
    [tool.name, tool.title ?? '', tool.description ?? ''].some((text) => fold(text).includes(wanted)),
  )
  return order
    .map((effect) => ({ effect, tools: found.filter((tool) => tool.effect === effect) }))
    .filter((group) => group.tools.length > 0)
}

/** A definition that a person must look at before the tool can be called. */
export const isHeld = ({ because }: Pick<ToolView, 'because'>) => because === 'held_definition'
