import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Proposals, textsIn } from '@/features/form'
import { FailureNote, FindingMark, FindingNote, findingsOf } from '@/features/vocabulary'
import type { Prompt, Server } from '@/lib/api'
import { useFilledIn } from '@/lib/fillIn'
import { EmptyState, ResizablePanes } from '@/ui'
import { draftOf, recalled, type Draft } from './draft'
import { NotAnnounced } from './NotAnnounced'
import { isUsable, NotReady } from './NotReady'
import { OfferList, type Offer } from './OfferList'
import { promptSchema } from './offers'
import { usePrompts } from './queries'
import { completes, sectionsOf } from './sections'
import { besideTraffic, paneWidth, Workbench } from './Workbench'

export interface PromptsTabProps {
  server: Server
  /** The prompt to open first, and the call that fills in its form. */
  first: string | undefined
  from: string | undefined
}

/** The prompts of a server, run with their arguments; the messages they give are shown, not sent anywhere. */
export function PromptsTab({ server, first, from }: PromptsTabProps) {
  const { t } = useTranslation()
  const prompts = usePrompts(server.id)
  const [open, setOpen] = useState(first)
  const missing = sectionsOf(server).some(({ name, state }) => name === 'prompts' && state === 'missing')
  if (missing) return <NotAnnounced section="prompts" />
  if (!prompts.data) {
    if (!isUsable(server)) return <NotReady server={server} />
    return prompts.isError ? (
      <FailureNote error={prompts.error} onRetry={() => prompts.refetch()} className="m-5" />
    ) : null
  }
  const prompt = prompts.data.find(({ name }) => name === open) ?? prompts.data[0]
  if (!prompt) {
    return (
      <div className="grid flex-1 place-items-center">
        <EmptyState title={t('server.prompts.none')}>{t('server.prompts.noneMore')}</EmptyState>
      </div>
    )
  }
  return (
    <ResizablePanes
      name="server.list"
      className={besideTraffic}
      width={{ initial: paneWidth('list'), min: 160, max: 420 }}
      edgeLabel={t('server.tools.listEdge')}
      pane={
        <OfferList
          label={t('server.tabs.prompts')}
          filterLabel={t('server.filter')}
          open={prompt.name}
          onOpen={setOpen}
          groups={[
            {
              key: 'prompts',
              title: t('server.tabs.prompts'),
              offers: prompts.data.map(offerOf),
            },
          ]}
        />
      }
    >
      <Bench key={prompt.name} server={server} prompt={prompt} from={prompt.name === first ? from : undefined} />
    </ResizablePanes>
  )
}

const offerOf = (prompt: Prompt): Offer => ({
  key: prompt.name,
  name: prompt.name,
  more: prompt.title ?? '',
  mark: findingsOf(prompt).length > 0 && <FindingMark />,
})

function Bench({ server, prompt, from }: { server: Server; prompt: Prompt; from: string | undefined }) {
  const { t } = useTranslation()
  const filled = useFilledIn(from)
  const about = { server: server.id, prompt: prompt.name }
  const [draft, setDraft] = useState<Draft>(() => {
    const blank = draftOf(promptSchema(prompt))
    return filled ? recalled(blank, filled) : blank
  })
  return (
    <Proposals value={completes(server) ? { ...about, given: textsIn(draft.value) } : undefined}>
      <Workbench
        server={server}
        target={{ server: server.id, kind: 'prompt', name: prompt.name }}
        intro={
          <header className="mb-3">
            <h2 className="font-code text-[14px] leading-[20px] font-semibold break-words">{prompt.name}</h2>
            <FindingNote findings={findingsOf(prompt)} className="mt-2" />
            {prompt.title && <p className="mt-1 text-small font-medium">{prompt.title}</p>}
            {prompt.description && (
              <p className="mt-1 text-small break-words whitespace-pre-line text-ink-2">{prompt.description}</p>
            )}
          </header>
        }
        verb={t('server.prompts.run')}
        draft={draft}
        onDraft={setDraft}
      />
    </Proposals>
  )
}
