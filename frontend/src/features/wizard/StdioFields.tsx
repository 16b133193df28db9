import { FolderOpen } from 'lucide-react'
import type { Dispatch } from 'react'
import { Trans, useTranslation } from 'react-i18next'
import type { Check } from '@/lib/api'
import { native } from '@/lib/native'
import { Button, Field, Socket, TextInput } from '@/ui'
import { ArgumentList } from './ArgumentList'
import { usesOf, type Fault, type SayFault } from './faults'
import { Passed } from './Passed'
import { shortPath } from './report'
import { VariableList } from './VariableList'
import type { WizardAction, WizardState } from './wizard'

export interface FieldsProps {
  state: WizardState
  dispatch: Dispatch<WizardAction>
  check: Check | undefined
  faults: readonly Fault[]
  fault: SayFault
}

/** A local program: what to start, with which arguments and variables. */
export function StdioFields({ state, dispatch, check, faults, fault }: FieldsProps) {
  const { t } = useTranslation()
  const { draft } = state
  return (
    <>
      <div className="grid grid-cols-2 gap-3 max-sm:grid-cols-1">
        <NameField state={state} dispatch={dispatch} check={check} faults={faults} fault={fault} />
        <Field
          label={t('wizard.command')}
          code="command"
          required={t('common.required')}
          className="mb-3"
          error={fault('command')}
          help={
            check?.program ? (
              <Trans
                i18nKey="wizard.found"
                values={{ path: shortPath(check.program) }}
                components={{ code: <code /> }}
              />
            ) : (
              t('wizard.commandHelp')
            )
          }
        >
          {(control) => (
            <div className="flex gap-1.5">
              <TextInput
                {...control}
                code
                data-field="command"
                value={draft.command}
                placeholder="npx"
                onChange={(event) => dispatch({ type: 'edit', change: { command: event.target.value } })}
                after={check?.program && <Socket shape="done" tone="ok" size={15} />}
                frameClassName="flex-1"
              />
              <ChooseProgram onChoose={(command) => dispatch({ type: 'edit', change: { command } })} />
            </div>
          )}
        </Field>
      </div>
      <div className="grid grid-cols-[1fr_1.75fr] gap-3 max-sm:grid-cols-1">
        <section className="mb-3 min-w-0">
          <ListHead title={t('wizard.args.title')} code="args" />
          <ArgumentList args={draft.args} dispatch={dispatch} />
          <Help error={fault('args')}>{t('wizard.args.help')}</Help>
        </section>
        <section className="mb-3 min-w-0">
          <ListHead title={t('wizard.env.title')} code="env" />
          <VariableList
            list="env"
            rows={draft.env}
            uses={usesOf(check?.variables ?? [], draft)}
            faults={faults}
            dispatch={dispatch}
            after={<Passed names={check?.passed ?? []} all={draft.inheritEnv} dispatch={dispatch} />}
          />
          <Help error={rowFault(faults, fault, 'env')}>{t('wizard.env.help')}</Help>
        </section>
      </div>
    </>
  )
}

export function NameField({ state, dispatch, check, fault }: FieldsProps) {
  const { t } = useTranslation()
  return (
    <Field
      label={t('wizard.name')}
      code="name"
      required={t('common.required')}
      className="mb-3"
      error={fault('name')}
      help={
        check?.prefix ? (
          <Trans i18nKey="wizard.prefix" values={{ prefix: check.prefix }} components={{ code: <code /> }} />
        ) : (
          t('wizard.nameHelp')
        )
      }
    >
      {(control) => (
        <TextInput
          {...control}
          data-field="name"
          value={state.draft.name}
          onChange={(event) => dispatch({ type: 'edit', change: { name: event.target.value } })}
        />
      )}
    </Field>
  )
}

/** The first fault of a list's rows, told under the list. */
export function rowFault(faults: readonly Fault[], fault: SayFault, list: string): string | undefined {
  const first = faults.find(({ field }) => field.startsWith(list))
  return first && fault(first.field)
}

export function ListHead({ title, code }: { title: string; code: string }) {
  return (
    <div className="mb-1 flex items-baseline text-small font-medium">
      {title}
      <code className="ml-auto text-[11.5px]! font-normal text-ink-3">{code}</code>
    </div>
  )
}

export function Help({ error, children }: { error: string | undefined; children: string }) {
  return (
    <div className={`mt-1 text-caption ${error === undefined ? 'text-ink-3' : 'text-danger-text'}`}>
      {error ?? children}
    </div>
  )
}

/** The system's own dialog; a browser has none, and no button. */
function ChooseProgram({ onChoose }: { onChoose: (path: string) => void }) {
  const { t } = useTranslation()
  const choose = native('ChooseFile')
  if (!choose) return null
  const pick = async () => {
    const path = await choose(t('wizard.chooseProgram'))
    if (path !== '') onChoose(path)
  }
  return (
    <Button icon={FolderOpen} onClick={() => void pick()}>
      {t('wizard.choose')}
    </Button>
  )
}
