import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Proposals, textsIn } from '@/features/form'
import { FailureNote, FindingMark, FindingNote, findingsOf } from '@/features/vocabulary'
import type { Resource, Server, Skill } from '@/lib/api'
import { formatBytes } from '@/lib/format'
import { useLang } from '@/lib/i18n'
import { EmptyState, ResizablePanes } from '@/ui'
import { FollowRow } from './FollowRow'
import { draftOf, type Draft } from './draft'
import { NotAnnounced } from './NotAnnounced'
import { isUsable, NotReady } from './NotReady'
import { OfferList, type Offer } from './OfferList'
import { addressOf, templateSchema } from './offers'
import { useResources, useSkills } from './queries'
import { can, completes, sectionsOf } from './sections'
import { SkillBench } from './SkillBench'
import { besideTraffic, paneWidth, Workbench } from './Workbench'

/** A skill has a key of its own: its main file may be among the resources too. */
const skillMark = 'skill '
const skillKey = ({ uri }: Skill) => skillMark + uri
const noSkills: readonly Skill[] = []

const keyOf = ({ uri, uri_template }: Resource) => uri ?? uri_template ?? ''

/** An address that was read before and is in no list, such as what a template came to. */
function unlisted({ id }: Server, uri: string | undefined): Resource | undefined {
  return uri === undefined || uri.startsWith(skillMark) ? undefined : { server: id, uri, name: uri }
}

/** The resources, templates and skills of a server; reading one is a call like any other, so nothing is read before a click. */
export function ResourcesTab({ server, first }: { server: Server; first: string | undefined }) {
  const { t } = useTranslation()
  const resources = useResources(server.id)
  const skills = useSkills(server).data ?? noSkills
  const [open, setOpen] = useState(first)
  const missing = sectionsOf(server).some(({ name, state }) => name === 'resources' && state === 'missing')
  if (missing) return <NotAnnounced section="resources" />
  if (!resources.data) {
    if (!isUsable(server)) return <NotReady server={server} />
    return resources.isError ? (
      <FailureNote error={resources.error} onRetry={() => resources.refetch()} className="m-5" />
    ) : null
  }
  const { resources: plain, templates } = resources.data
  const all = [...plain, ...templates]
  const chosen = all.find((resource) => keyOf(resource) === open) ?? unlisted(server, open) ?? all[0]
  const taught = skills.find((skill) => skillKey(skill) === open) ?? (chosen ? undefined : skills[0])
  if (!chosen && !taught) return <None />
  const offer = (resource: Resource): Offer => ({
    key: keyOf(resource),
    name: resource.name,
    more: keyOf(resource),
    mark: findingsOf(resource).length > 0 && <FindingMark />,
  })
  const skillOffer = (skill: Skill): Offer => ({
    key: skillKey(skill),
    name: skill.name,
    more: `${skill.uri} ${skill.description ?? ''}`,
  })
  return (
    <ResizablePanes
      name="server.list"
      className={besideTraffic}
      width={{ initial: paneWidth('list'), min: 160, max: 420 }}
      edgeLabel={t('server.tools.listEdge')}
      pane={
        <OfferList
          label={t('server.tabs.resources')}
          filterLabel={t('server.filter')}
          open={taught ? skillKey(taught) : chosen && keyOf(chosen)}
          onOpen={setOpen}
          groups={[
            { key: 'plain', title: t('server.resources.plain'), offers: plain.map(offer) },
            { key: 'templates', title: t('server.resources.templates'), offers: templates.map(offer) },
            { key: 'skills', title: t('server.skills.title'), offers: skills.map(skillOffer) },
          ]}
        />
      }
    >
      {taught ? (
        <SkillBench key={skillKey(taught)} server={server} skill={taught} />
      ) : (
        chosen && <Bench key={keyOf(chosen)} server={server} resource={chosen} />
      )}
    </ResizablePanes>
  )
}

function Bench({ server, resource }: { server: Server; resource: Resource }) {
  const { t } = useTranslation()
  const [draft, setDraft] = useState<Draft>(() => draftOf(templateSchema(resource.uri_template ?? '')))
  const address = addressOf(resource, draft.value)
  const template = resource.uri_template
  const about = { server: server.id, ...(template === undefined ? {} : { template }) }
  return (
    <Proposals
      value={template === undefined || !completes(server) ? undefined : { ...about, given: textsIn(draft.value) }}
    >
      <Workbench
        server={server}
        target={{ server: server.id, kind: 'resource', name: keyOf(resource) }}
        nameFor={(args) => addressOf(resource, args)}
        intro={
          <>
            <Intro resource={resource} address={address} />
            {resource.uri !== undefined && can(server, 'resources', 'subscribe') && (
              <FollowRow server={server.id} uri={resource.uri} />
            )}
          </>
        }
        verb={t('server.resources.read')}
        empty={t('server.resources.readMore')}
        draft={draft}
        onDraft={setDraft}
      />
    </Proposals>
  )
}

function Intro({ resource, address }: { resource: Resource; address: string }) {
  const { t } = useTranslation()
  const lang = useLang()
  const facts = [resource.mime_type, resource.size === undefined ? undefined : formatBytes(resource.size, lang)]
  return (
    <header className="mb-3">
      <h2 className="font-code text-[14px] leading-[20px] font-semibold break-words">{resource.name}</h2>
      <p className="mono text-small break-all text-ink-2">{address || t('server.resources.badTemplate')}</p>
      <p className="text-caption text-ink-3">{facts.filter(Boolean).join(' · ')}</p>
      <FindingNote findings={findingsOf(resource)} className="mt-2" />
      {resource.title && <p className="mt-2 text-small font-medium">{resource.title}</p>}
      {resource.description && (
        <p className="mt-1 text-small break-words whitespace-pre-line text-ink-2">{resource.description}</p>
      )}
    </header>
  )
}

function None() {
  const { t } = useTranslation()
  return (
    <div className="grid flex-1 place-items-center">
      <EmptyState title={t('server.resources.none')}>{t('server.resources.noneMore')}</EmptyState>
    </div>
  )
}
