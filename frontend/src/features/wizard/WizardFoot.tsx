import { ArrowLeft, Copy, Play, Plug, RotateCw, Save } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useFailureWords } from '@/features/vocabulary'
import { useLang } from '@/lib/i18n'
import { Button, useToast } from '@/ui'
import { isLocal } from './draft'
import { reportText } from './reportText'
import type { WizardParts } from './useWizard'

export interface FootProps {
  parts: WizardParts
  mode: 'add' | 'edit' | 'test'
  /** Goes on, tests or saves; undefined while the step holds it back. */
  confirm: (() => void) | undefined
  leave: () => void
}

/** The decisions of a step: back at the left, forward at the right. */
export function WizardFoot({ parts, mode, confirm, leave }: FootProps) {
  const { t } = useTranslation()
  const { state, dispatch, held } = parts
  const onlyTesting = mode === 'test' && state.step === 'test' && !state.dirty
  const first = state.step === 'transport' || onlyTesting
  return (
    <>
      {first ? (
        <Button look="ghost" onClick={leave}>
          {t(mode === 'test' ? 'common.close' : 'common.cancel')}
        </Button>
      ) : (
        <Button icon={ArrowLeft} onClick={() => dispatch({ type: 'back' })}>
          {t('wizard.back')}
        </Button>
      )}
      <span className="flex-1" />
      {state.step === 'parameters' && held.length > 0 && (
        <span className="text-small text-ink-3">{t('wizard.toCorrect', { count: held.length })}</span>
      )}
      {state.step === 'disclaimer' && (
        <span className="truncate text-small text-ink-3">{t('wizard.enabledAtOnce', { name: state.draft.name })}</span>
      )}
      {state.step === 'test' && <TestButtons parts={parts} />}
      {!onlyTesting && <Forward parts={parts} mode={mode} confirm={confirm} />}
    </>
  )
}

function TestButtons({ parts: { test, dispatch } }: { parts: WizardParts }) {
  const { t } = useTranslation()
  const lang = useLang()
  const words = useFailureWords()
  const toast = useToast()
  const { report } = test
  const copy = () => {
    if (!report) return
    const text = reportText(report, words, (name) => t(`wizard.test.step.${name}`), lang)
    void navigator.clipboard.writeText(text).then(() => toast({ tone: 'ok', text: t('wizard.reportCopied') }))
  }
  return (
    <>
      {report && !report.running && !report.ok && (
        <Button look="ghost" icon={Copy} onClick={copy}>
          {t('wizard.copyReport')}
        </Button>
      )}
      {test.running ? (
        <Button onClick={test.cancel}>{t('wizard.cancelTest')}</Button>
      ) : (
        <Button icon={RotateCw} onClick={() => dispatch({ type: 'retest' })}>
          {t('wizard.retest')}
        </Button>
      )}
    </>
  )
}

function Forward({ parts, mode, confirm }: Pick<FootProps, 'parts' | 'mode' | 'confirm'>) {
  const { t } = useTranslation()
  const { state, test, save } = parts
  const button = useRef<HTMLButtonElement>(null)
  const passed = state.step === 'test' && test.report?.ok === true
  const nothingToDo = state.step === 'auth' && isLocal(state.draft)
  useEffect(() => {
    if (passed || nothingToDo) button.current?.focus()
  }, [passed, nothingToDo])
  const add = mode === 'add'
  const looks = {
    transport: { word: 'wizard.continue' },
    auth: { word: 'wizard.continue' },
    parameters: add ? { word: 'wizard.test.go', icon: Play } : { word: 'wizard.testAndSave', icon: Play },
    test: add ? { word: 'wizard.continue' } : { word: 'wizard.save', icon: Save },
    disclaimer: { word: 'wizard.add', icon: Plug },
  } as const
  const look: { word: string; icon?: typeof Play } = looks[state.step]
  const reasons: Partial<Record<typeof state.step, string>> = {
    test: t(test.running ? 'wizard.waitForTest' : 'wizard.testMustPass'),
    disclaimer: t('wizard.tickFirst'),
    parameters: t('wizard.correctFirst'),
  }
  const reason = reasons[state.step]
  return (
    <Button
      ref={button}
      look="primary"
      {...(look.icon ? { icon: look.icon } : {})}
      inactive={confirm === undefined || save.isPending}
      {...(confirm === undefined && reason !== undefined ? { reason } : {})}
      onClick={() => confirm?.()}
    >
      {t(look.word)}
    </Button>
  )
}
