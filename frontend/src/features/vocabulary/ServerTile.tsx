import {
  Brain,
  Bug,
  Building2,
  Clock,
  CloudSun,
  Database,
  Folder,
  GitBranch,
  Globe,
  Mail,
  NotebookText,
  Search,
  SquareTerminal,
  Wrench,
  type LucideIcon,
} from 'lucide-react'
import type { Definition } from '@/lib/api'
import { Tile } from '@/ui'

/** Words in a name or a command that tell what a server is about; the first match wins. */
const subjects: readonly [RegExp, LucideIcon][] = [
  [/git/, GitBranch],
  [/notion|note|doc/, NotebookText],
  [/postgres|mysql|sqlite|database|sql/, Database],
  [/filesystem|file|fichier|drive/, Folder],
  [/sentry|bug|error/, Bug],
  [/time|heure|clock|calendar|agenda/, Clock],
  [/memory|memoire|mémoire/, Brain],
  [/weather|meteo|météo/, CloudSun],
  [/mail|slack|chat/, Mail],
  [/search|brave|fetch/, Search],
  [/playwright|browser|puppeteer|chrome/, Globe],
  [/everything|test/, Wrench],
]

/** The icon that a server gets; custom servers bring none of their own. */
export function iconOf({
  name,
  transport,
  args = [],
  url = '',
}: Pick<Definition, 'name' | 'transport' | 'args' | 'url'>): LucideIcon {
  const words = `${name} ${args.join(' ')} ${url}`.toLowerCase()
  const subject =
    subjects.find(([pattern]) => pattern.test(name.toLowerCase())) ?? subjects.find(([p]) => p.test(words))
  return subject?.[1] ?? (transport === 'stdio' ? SquareTerminal : Building2)
}

export function ServerTile({ server, size }: { server: Definition; size?: 'small' | 'medium' | 'large' }) {
  return <Tile icon={iconOf(server)} {...(size ? { size } : {})} />
}
