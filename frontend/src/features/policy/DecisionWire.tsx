import { Trans, useTranslation } from 'react-i18next'
import type { Decision, DecisionStep } from '@/lib/api'
import { formatWhen } from '@/lib/format'
import { useLang } from '@/lib/i18n'
import { Socket, VerticalWire, WireStop } from '@/ui'
import { verdictLooks } from './RuleRow'
import { ruleSentence } from './ruleSentence'

/** Every question in the order it was asked: the deciding one marked, the ones after it dashed. */
export function DecisionWire({ decision }: { decision: Decision }) {
  const { t } = useTranslation()
  const deciding = decision.steps.findIndex((step) => step.deciding)
  return (
    <VerticalWire label={t('policy.why.steps')}>
      {decision.steps.map((step, i) => {
        const after = deciding >= 0 && i > deciding
        return (
          <WireStop
            key={step.question}
            className="pb-3"
            below={deciding >= 0 && i >= deciding ? 'dashed' : 'plain'}
            mark={
              step.deciding ? <Socket {...verdictLooks[step.answer]} /> : <Socket shape={after ? 'found' : 'off'} />
            }
            name={
              <span className={after ? 'font-normal text-ink-3' : step.deciding ? '' : 'font-medium'}>
                {t([`policy.why.questions.${step.question}`, 'policy.why.questions.other'], {
                  question: step.question,
                })}
              </span>
            }
            note={<StepAnswer step={step} decision={decision} after={after} />}
          />
        )
      })}
    </VerticalWire>
  )
}

interface StepAnswerProps {
  step: DecisionStep
  decision: Decision
  after: boolean
}

function StepAnswer({ step, decision, after }: StepAnswerProps) {
  const { t } = useTranslation()
  const lang = useLang()
  const verdict = t(`policy.why.would.${step.answer}`)
  if (after) return step.matched ? t('policy.why.notAsked', { verdict }) : t('policy.why.notAskedNothing')
  if (!step.deciding) {
    return step.matched
      ? t('policy.why.outranked', { verdict })
      : t([`policy.why.no.${step.question}`, 'policy.why.no.other'])
  }
  const { rule } = decision
  if (!rule) return t([`policy.why.yes.${step.question}`, 'policy.why.yes.other'])
  const when =
    rule.line || rule.created_at === undefined
      ? t('inbox.why.inFile', { line: rule.line })
      : t('inbox.why.set', { when: formatWhen(rule.created_at, lang) })
  return (
    <Trans
      i18nKey="policy.why.decides"
      values={{ rule: ruleSentence(rule, t), when }}
      components={{ b: <b className="font-medium text-ink" /> }}
    />
  )
}
