import { AppWindow, Bot, Monitor, Server, SquareTerminal, type LucideIcon } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Caller, CallerKind } from '@/lib/api'

export const callerIcons: Record<CallerKind, LucideIcon> = {
  window: Monitor,
  cli: SquareTerminal,
  client: AppWindow,
  app: Bot,
  server: Server,
}

/** What a person calls whoever asks: our own doors by our words, others by the name they gave. */
export function useCallerName(): (caller: Pick<Caller, 'kind' | 'name'>) => string {
  const { t } = useTranslation()
  return ({ kind, name }) => (kind === 'window' || kind === 'cli' ? t(`callers.${kind}`) : name)
}
