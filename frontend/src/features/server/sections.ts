import type { Server } from '@/lib/api'

export const sectionNames = ['tools', 'resources', 'prompts'] as const

export type SectionName = (typeof sectionNames)[number]
export type TabName = SectionName | 'logs' | 'settings'

export interface Section {
  name: SectionName
  /** Announced; missing = the server said that it has none; unknown = it never said anything. */
  state: 'announced' | 'missing' | 'unknown'
  count: number | undefined
}

/** What a server offers, from the capabilities of its handshake. */
export function sectionsOf(server: Pick<Server, 'capabilities' | SectionName>): Section[] {
  const { capabilities } = server
  return sectionNames.map((name) => {
    if (capabilities === undefined) return { name, state: 'unknown', count: server[name] || undefined }
    const announced = Object.hasOwn(capabilities, name)
    return { name, state: announced ? 'announced' : 'missing', count: announced ? server[name] : undefined }
  })
}

/** Whether a capability of the server, such as "resources", has a member that is true, such as "subscribe". */
export function can({ capabilities }: Pick<Server, 'capabilities'>, capability: string, what: string): boolean {
  const found = capabilities?.[capability]
  return typeof found === 'object' && found !== null && what in found && Reflect.get(found, what) === true
}

/** Whether the server proposes values for arguments. */
export const completes = ({ capabilities }: Pick<Server, 'capabilities'>) => capabilities?.completions !== undefined

/** The tab to show: the wanted one, also when it is not announced, else the first that the server offers. */
export function tabOf(wanted: string | undefined, sections: readonly Section[]): TabName {
  const names: readonly TabName[] = [...sectionNames, 'logs', 'settings']
  const known = names.find((name) => name === wanted)
  return known ?? sections.find((section) => section.state !== 'missing')?.name ?? 'logs'
}

/** The skills extension in the capabilities of a server (SEP-2640). */
const skillsExtension = 'io.modelcontextprotocol/skills'

export function announcesSkills({ capabilities }: Pick<Server, 'capabilities'>): boolean {
  const extensions = capabilities?.extensions
  return typeof extensions === 'object' && extensions !== null && Object.hasOwn(extensions, skillsExtension)
}
