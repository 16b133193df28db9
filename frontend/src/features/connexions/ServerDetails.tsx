import { Link } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import { FileText, MessageSquareText, Wrench, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { EffectMark } from '@/features/vocabulary'
import { listPrompts, listResources, type Server } from '@/lib/api'
import { Icon } from '@/ui'
import { useAllTools } from './queries'

const shown = 12

/** What an opened card shows: the names of the tools, resources and prompts that the server announced. */
export function ServerDetails({ server }: { server: Server }) {
  const { t } = useTranslation()
  const tools = (useAllTools().data ?? []).filter((tool) => tool.server === server.id)
  const resources = useQuery({
    queryKey: ['servers', server.id, 'resources'],
    queryFn: ({ signal }) => listResources(server.id, signal),
    enabled: server.resources > 0,
  })
  const prompts = useQuery({
    queryKey: ['servers', server.id, 'prompts'],
    queryFn: ({ signal }) => listPrompts(server.id, signal),
    enabled: server.prompts > 0,
  })
  const found = [...(resources.data?.resources ?? []), ...(resources.data?.templates ?? [])]
  return (
    <div data-details className="animate-fade border-t border-line-subtle bg-sunken/50 pr-3 pl-[58px]">
      <div className="grid grid-cols-[1.25fr_1.2fr_1fr] max-sm:grid-cols-1">
        <Part icon={Wrench} title={t('connexions.details.tools', { count: tools.length })} empty={tools.length === 0}>
          {tools.slice(0, shown).map((tool) => (
            <Name key={tool.name} mark={<EffectMark effect={tool.effect} />}>
              {tool.name}
            </Name>
          ))}
        </Part>
        <Part
          icon={FileText}
          title={t('connexions.details.resources', { count: found.length })}
          empty={found.length === 0}
        >
          {found.slice(0, shown).map((resource) => (
            <Name key={resource.uri ?? resource.uri_template}>{resource.uri ?? resource.uri_template}</Name>
          ))}
        </Part>
        <Part
          icon={MessageSquareText}
          title={t('connexions.details.prompts', { count: prompts.data?.length ?? 0 })}
          empty={!prompts.data?.length}
        >
          {prompts.data?.slice(0, shown).map((prompt) => (
            <Name key={prompt.name}>{prompt.name}</Name>
          ))}
        </Part>
      </div>
      <div className="pb-3 text-small">
        <Link to="/servers/$id" params={{ id: server.id }}>
          {tools.length > shown
            ? t('connexions.details.openMore', { count: tools.length - shown })
            : t('connexions.details.open')}
        </Link>
      </div>
    </div>
  )
}

function Part({
  icon,
  title,
  empty,
  children,
}: {
  icon: LucideIcon
  title: string
  empty: boolean
  children: ReactNode
}) {
  const { t } = useTranslation()
  return (
    <section className="min-w-0 py-2.5 pr-4">
      <h3 className="mb-1.5 flex items-center gap-2 text-small font-semibold">
        <Icon of={icon} className="text-ink-3" />
        {title}
      </h3>
      {empty ? <p className="text-small text-ink-3">{t('connexions.details.none')}</p> : <ul>{children}</ul>}
    </section>
  )
}

function Name({ mark, children }: { mark?: ReactNode; children: string | undefined }) {
  return (
    <li className="flex min-h-[26px] items-center gap-2 border-t border-line-subtle text-small">
      <span title={children} className="mono min-w-0 flex-1 truncate">
        {children}
      </span>
      {mark}
    </li>
  )
}
