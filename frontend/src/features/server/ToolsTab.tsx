import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FailureNote } from '@/features/vocabulary'
import type { Server, ToolView } from '@/lib/api'
import { useFilledIn } from '@/lib/fillIn'
import { Bone, EmptyState, ResizablePanes, Skeleton } from '@/ui'
import { NotAnnounced } from './NotAnnounced'
import { isUsable, NotReady } from './NotReady'
import { useTools } from './queries'
import { sectionsOf } from './sections'
import { draftOf, recalled, type Draft } from './draft'
import { ToolIntro } from './ToolIntro'
import { besideTraffic, paneWidth, Workbench } from './Workbench'
import { ToolList } from './ToolList'

export interface ToolsTabProps {
  server: Server
  open: string | undefined
  /** The call that fills in the form of the open tool. */
  from: string | undefined
}

/** The tools, the form of the open one, and what its last call came to. */
export function ToolsTab({ server, open, from }: ToolsTabProps) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const tools = useTools(server.id)
  const missing = sectionsOf(server).some(({ name, state }) => name === 'tools' && state === 'missing')
  if (missing) return <NotAnnounced section="tools" />
  if (!tools.data) {
    if (!isUsable(server)) return <NotReady server={server} />
    return tools.isError ? (
      <FailureNote error={tools.error} onRetry={() => tools.refetch()} className="m-5" />
    ) : (
      <Loading />
    )
  }
  if (tools.data.length === 0) return isUsable(server) ? <NoTools /> : <NotReady server={server} />
  const tool = tools.data.find(({ name }) => name === open) ?? tools.data.toSorted(byEffect)[0]
  const onOpen = (name: string) =>
    void navigate({
      to: '/servers/$id',
      params: { id: server.id },
      search: { tab: 'tools', tool: name },
      replace: true,
    })
  return (
    <ResizablePanes
      name="server.list"
      className={besideTraffic}
      width={{ initial: paneWidth('list'), min: 160, max: 420 }}
      edgeLabel={t('server.tools.listEdge')}
      pane={<ToolList tools={tools.data} open={tool?.name} onOpen={onOpen} />}
    >
      {tool && <ToolBench server={server} tool={tool} from={tool.name === open ? from : undefined} />}
    </ResizablePanes>
  )
}

function ToolBench({ server, tool, from }: { server: Server; tool: ToolView; from: string | undefined }) {
  const { t } = useTranslation()
  const filled = useFilledIn(from)
  const [drafts, setDrafts] = useState<ReadonlyMap<string, Draft>>(
    () => new Map(filled ? [[tool.name, recalled(draftOf(tool.input_schema), filled)]] : []),
  )
  const draft = drafts.get(tool.name) ?? draftOf(tool.input_schema)
  const onDraft = (next: Draft) => setDrafts(new Map(drafts).set(tool.name, next))
  return (
    <Workbench
      server={server}
      target={{ server: server.id, kind: 'tool', name: tool.name }}
      intro={<ToolIntro tool={tool} draft={draft} onDraft={onDraft} />}
      verb={t('server.form.call')}
      draft={draft}
      onDraft={onDraft}
    />
  )
}

function NoTools() {
  const { t } = useTranslation()
  return (
    <div className="grid flex-1 place-items-center">
      <EmptyState title={t('server.tools.none')}>{t('server.tools.noneMore')}</EmptyState>
    </div>
  )
}

function Loading() {
  const { t } = useTranslation()
  return (
    <Skeleton label={t('server.tools.loading')}>
      <div className="w-[218px] space-y-4 p-4">
        {[120, 90, 140, 110, 130, 100].map((width) => (
          <Bone key={width} width={width} height={11} />
        ))}
      </div>
    </Skeleton>
  )
}

const ranks = { reads: 0, writes: 1, destroys: 2 }
const byEffect = (a: ToolView, b: ToolView) => ranks[a.effect] - ranks[b.effect]
