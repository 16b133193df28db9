import type { Effect, ToolView } from '@/lib/api'

export interface ToolGroup {
  effect: Effect
  tools: ToolView[]
}

const order: readonly Effect[] = ['reads', 'writes', 'destroys']

/** Tools by what they do to the world, those that read first. */
export function groupTools(tools: readonly ToolView[]): ToolGroup[] {
  return order
    .map((effect) => ({ effect, tools: tools.filter((tool) => tool.effect === effect) }))
    .filter((group) => group.tools.length > 0)
}

/** A definition that a person must look at before the tool can be called. */
export const isHeld = ({ because }: Pick<ToolView, 'because'>) => because === 'held_definition'
