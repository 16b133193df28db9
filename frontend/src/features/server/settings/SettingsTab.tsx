import { useNavigate } from '@tanstack/react-router'
import { Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isLocal, useRowActions } from '@/features/connexions'
import { oauthDraftOf, oauthFault } from '@/features/signin'
import type { Server } from '@/lib/api'
import { sameJson, type Json } from '@/lib/json'
import { Button, CardList, Note, PageFoot, SectionTitle, useToast } from '@/ui'
import { HowReached } from './HowReached'
import { LimitFields } from './LimitFields'
import { limitsOf, problemsOf, withLimits, withSignIn } from './limits'
import { Roots } from './Roots'
import { SignInSection } from './SignInSection'
import { TestProgress } from './TestProgress'
import { useRetest } from './useRetest'

/** How the server is treated. A change is tested before it is saved; a server of config.toml is only shown. */
export function SettingsTab({ server }: { server: Server }) {
  const { t } = useTranslation()
  const toast = useToast()
  const [limits, setLimits] = useState(() => limitsOf(server))
  const [signIn, setSignIn] = useState(() => oauthDraftOf(server.auth))
  const retest = useRetest(server, (saved) => {
    setSignIn(oauthDraftOf(saved.auth)) // its secret is a reference now
    toast({ tone: 'ok', text: t('server.settings.saved') })
  })
  const inFile = server.source === 'config.toml'
  const changed = !same([limits, signIn], [limitsOf(server), oauthDraftOf(server.auth)])
  const problems = problemsOf(limits)
  const fault = oauthFault(signIn, isLocal(server))
  const revert = () => {
    setLimits(limitsOf(server))
    setSignIn(oauthDraftOf(server.auth))
  }
  return (
    <section data-pane aria-label={t('server.tabs.settings')} className="flex min-h-0 flex-1 flex-col">
      <div className="min-h-0 flex-1 overflow-y-auto px-[var(--px)] py-4">
        <div className="max-w-[760px]">
          {inFile && <Note className="mb-4">{t('server.settings.inFile', { line: server.line })}</Note>}
          <SectionTitle>{t('server.settings.limits')}</SectionTitle>
          <CardList>
            <LimitFields
              limits={limits}
              onLimits={setLimits}
              problems={problems}
              local={isLocal(server)}
              readOnly={inFile}
            />
          </CardList>
          <SectionTitle>{t('server.settings.roots')}</SectionTitle>
          <CardList>
            <Roots server={server} readOnly={inFile} />
          </CardList>
          <SignInSection server={server} draft={signIn} onDraft={setSignIn} fault={fault} readOnly={inFile} />
          <TestProgress server={server} retest={retest} />
          <Reach server={server} inFile={inFile} />
          {!inFile && <Removal server={server} />}
        </div>
      </div>
      {(changed || retest.busy) && !inFile && (
        <PageFoot className="px-[var(--px)]!">
          <span className="flex-1 text-small text-ink-3">{t('server.settings.testFirst')}</span>
          <Button look="ghost" onClick={retest.busy ? retest.cancel : revert}>
            {t(retest.busy ? 'common.cancel' : 'server.settings.revert')}
          </Button>
          <Button
            look="primary"
            inactive={retest.busy || problems.length > 0 || fault !== undefined}
            onClick={() => retest.run(withSignIn(withLimits(server, limits), signIn))}
          >
            {t('server.settings.save')}
          </Button>
        </PageFoot>
      )}
    </section>
  )
}

const same = (one: unknown, other: unknown) => sameJson(one as Json, other as Json)

function Reach({ server, inFile }: { server: Server; inFile: boolean }) {
  const { t } = useTranslation()
  const actions = useRowActions()
  return (
    <>
      <SectionTitle>{t('server.settings.reach')}</SectionTitle>
      <CardList>
        <HowReached server={server} />
        {!inFile && (
          <div className="flex items-center gap-3 px-3.5 py-2">
            <span className="min-w-0 flex-1 text-small text-ink-3">{t('server.settings.editMore')}</span>
            <Button small icon={Pencil} onClick={() => actions.edit(server)}>
              {t('server.settings.edit')}
            </Button>
          </div>
        )}
      </CardList>
    </>
  )
}

function Removal({ server }: { server: Server }) {
  const { t } = useTranslation()
  const actions = useRowActions()
  const navigate = useNavigate()
  const remove = () => {
    actions.remove(server)
    void navigate({ to: '/' })
  }
  return (
    <>
      <SectionTitle>{t('server.settings.removal')}</SectionTitle>
      <CardList>
        <div className="flex min-h-12 items-center gap-3 px-3.5 py-2">
          <span className="min-w-0 flex-1 text-small text-ink-3">{t('server.settings.removeMore')}</span>
          <Button small look="danger" icon={Trash2} onClick={remove}>
            {t('server.settings.remove')}
          </Button>
        </div>
      </CardList>
    </>
  )
}
