import clsx from 'clsx'
import { ChevronDown } from 'lucide-react'
import { useState, type Dispatch } from 'react'
import { useTranslation } from 'react-i18next'
import { isBlank } from '@/features/signin'
import { Card, Field, Icon, NumberInput, TextInput } from '@/ui'
import { defaultBufferSize, defaultTimeoutMs, isLocal, type Draft } from './draft'
import { ChooseFolder } from './ChooseFolder'
import type { SayFault } from './faults'
import { RootFolders } from './RootFolders'
import { TokenVariable } from './TokenVariable'
import { tokenField, type WizardAction } from './wizard'

const mebibyte = 1 << 20

export interface AdvancedProps {
  draft: Draft
  dispatch: Dispatch<WizardAction>
  fault: SayFault
  /** The field that gets the focus, which must not be folded away. */
  focus: string | undefined
}

/** What has a good default: folded to one line of its values, open by itself when one is not the default. */
export function Advanced({ draft, dispatch, fault, focus }: AdvancedProps) {
  const { t } = useTranslation()
  const touched =
    draft.cwd !== '' ||
    draft.timeoutMs !== undefined ||
    draft.bufferSize !== undefined ||
    draft.roots.length > 0 ||
    !isBlank(draft.tokenAuth) ||
    focus === tokenField
  const [open, setOpen] = useState(touched)
  const edit = (change: Partial<Draft>) => dispatch({ type: 'edit', change })
  const line = t(isLocal(draft) ? 'wizard.advanced.local' : 'wizard.advanced.remote', {
    seconds: (draft.timeoutMs ?? defaultTimeoutMs) / 1000,
    mebibytes: (draft.bufferSize ?? defaultBufferSize) / mebibyte,
    count: draft.roots.length,
  })
  return (
    <Card className={clsx('px-3.5 pt-2.5', open ? 'pb-3' : 'pb-2.5')}>
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex w-full items-center gap-2 rounded-badge text-left"
      >
        <Icon of={ChevronDown} size={15} className={clsx('text-ink-3 transition-transform', !open && '-rotate-90')} />
        <span className="font-semibold">{t('wizard.advanced.title')}</span>
        <span className="truncate text-small text-ink-3">{line}</span>
      </button>
      {open && (
        <>
          <div
            className={clsx(
              'mt-2.5 grid gap-3 max-sm:grid-cols-1',
              isLocal(draft) ? 'grid-cols-[1.5fr_.8fr_.8fr]' : 'grid-cols-2',
            )}
          >
            {isLocal(draft) && (
              <Field label={t('wizard.cwd')} code="cwd" error={fault('cwd')} className="mb-3">
                {(control) => (
                  <div className="flex gap-1.5">
                    <TextInput
                      {...control}
                      code
                      data-field="cwd"
                      value={draft.cwd}
                      onChange={(event) => edit({ cwd: event.target.value })}
                      frameClassName="flex-1"
                    />
                    <ChooseFolder onChoose={(cwd) => edit({ cwd })} />
                  </div>
                )}
              </Field>
            )}
            <Field label={t('wizard.timeout')} code="timeout" error={fault('timeout_ms')} className="mb-3">
              {(control) => (
                <NumberInput
                  {...control}
                  min={1}
                  data-field="timeout_ms"
                  value={(draft.timeoutMs ?? defaultTimeoutMs) / 1000}
                  onChange={(seconds) =>
                    edit({ timeoutMs: unlessDefault(seconds && seconds * 1000, defaultTimeoutMs) })
                  }
                  unit="s"
                />
              )}
            </Field>
            <Field label={t('wizard.buffer')} code="buffer_size" error={fault('buffer_size')} className="mb-3">
              {(control) => (
                <NumberInput
                  {...control}
                  min={1}
                  data-field="buffer_size"
                  value={(draft.bufferSize ?? defaultBufferSize) / mebibyte}
                  onChange={(size) =>
                    edit({ bufferSize: unlessDefault(size && Math.round(size * mebibyte), defaultBufferSize) })
                  }
                  unit={t('wizard.mebibytes')}
                />
              )}
            </Field>
          </div>
          <RootFolders roots={draft.roots} onChange={(roots) => edit({ roots })} fault={fault} />
          {isLocal(draft) && (
            <TokenVariable
              draft={draft.tokenAuth}
              onChange={(tokenAuth) => edit({ tokenAuth })}
              wrong={fault(tokenField)}
              wanted={focus === tokenField}
            />
          )}
        </>
      )}
    </Card>
  )
}

const unlessDefault = (value: number | undefined, standard: number) => (value === standard ? undefined : value)
