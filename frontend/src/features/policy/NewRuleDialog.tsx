import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAllTools, useServers } from '@/features/connexions'
import { FailureNote } from '@/features/vocabulary'
import type { Verdict } from '@/lib/api'
import { Button, Combobox, Dialog, Field, Select } from '@/ui'
import { usePersonName } from './people'
import { useAddRule } from './queries'
import { quote } from './rules'
import { effectOf, newRuleOf, type RuleDraft } from './ruleDraft'
import { useCallers, useToday } from './useCallers'

const first: RuleDraft = { verdict: 'ask', server: '', action: '', client: '' }
const anyone = '*'

/** One sentence with its menus: the verdict, what, for whom; and what it would have changed today. */
export function NewRuleDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useTranslation()
  const [draft, setDraft] = useState(first)
  const add = useAddRule()
  const changed = effectOf(draft, useToday())
  const close = () => {
    onClose()
    setDraft(first)
    add.reset()
  }
  return (
    <Dialog
      open={open}
      onClose={close}
      title={t('policy.new.title')}
      description={t('policy.new.more')}
      actions={
        <>
          <Button look="ghost" onClick={close}>
            {t('common.cancel')}
          </Button>
          <Button
            look="primary"
            inactive={add.isPending}
            onClick={() => add.mutate(newRuleOf(draft), { onSuccess: close })}
          >
            {t('policy.new.save')}
          </Button>
        </>
      }
    >
      <Sentence draft={draft} onDraft={setDraft} />
      <p className="mt-3 text-small text-ink-2" role="status">
        {t('policy.new.changes', { count: changed })}
      </p>
      {add.isError && <FailureNote error={add.error} className="mt-3" />}
    </Dialog>
  )
}

function Sentence({ draft, onDraft }: { draft: RuleDraft; onDraft: (draft: RuleDraft) => void }) {
  const { t } = useTranslation()
  const servers = useServers().data ?? []
  const personName = usePersonName()
  const callers = useCallers()
  return (
    <div className="grid grid-cols-2 gap-3">
      <Field label={t('policy.new.verdict')}>
        {(control) => (
          <Select<Verdict>
            {...control}
            value={draft.verdict}
            onChange={(verdict) => onDraft({ ...draft, verdict })}
            options={(['allow', 'ask', 'deny'] as const).map((value) => ({ value, label: t(`verdicts.${value}`) }))}
          />
        )}
      </Field>
      <Field label={t('policy.new.who')}>
        {(control) => (
          <Select
            {...control}
            value={draft.client === '' ? anyone : draft.client}
            onChange={(client) => onDraft({ ...draft, client: client === anyone ? '' : client })}
            options={[
              { value: anyone, label: t('policy.sentence.everyone') },
              ...callers.map((name) => ({ value: name, label: personName(name) })),
            ]}
          />
        )}
      </Field>
      <Field label={t('policy.new.server')}>
        {(control) => (
          <Select
            {...control}
            value={draft.server === '' ? anyone : draft.server}
            onChange={(server) => onDraft({ ...draft, server: server === anyone ? '' : server })}
            options={[
              { value: anyone, label: t('policy.sentence.anyServer') },
              ...servers.map(({ id, name }) => ({ value: id, label: name })),
            ]}
          />
        )}
      </Field>
      <ActionField draft={draft} onDraft={onDraft} />
    </div>
  )
}

/** A tool, or a pattern of names; the tools of the chosen server are offered. */
function ActionField({ draft, onDraft }: { draft: RuleDraft; onDraft: (draft: RuleDraft) => void }) {
  const { t } = useTranslation()
  const tools = useAllTools().data ?? []
  const names = tools
    .filter((tool) => draft.server === '' || tool.server === draft.server)
    .map((tool) => quote(tool.name))
  return (
    <Field label={t('policy.new.action')} help={t('policy.new.actionHelp')}>
      {(control) => (
        <Combobox
          {...control}
          code
          placeholder={t('policy.new.everything')}
          value={draft.action}
          onChange={(action) => onDraft({ ...draft, action })}
          suggestions={[...new Set(names)]}
        />
      )}
    </Field>
  )
}
