import type { Effect, Tool } from '@/lib/api'

export const effects: readonly Effect[] = ['reads', 'writes', 'destroys']

/** The tools by what they do to the world. */
export function byEffect(tools: readonly Tool[]): Record<Effect, string[]> {
  const names = (effect: Effect) => tools.filter((tool) => tool.effect === effect).map(({ name }) => name)
  return { reads: names('reads'), writes: names('writes'), destroys: names('destroys') }
}

/** The worst that any of the tools can do; "nothing" without tools. */
export function worstEffect(tools: readonly Tool[]): Effect | 'nothing' {
  return effects.findLast((effect) => tools.some((tool) => tool.effect === effect)) ?? 'nothing'
}
