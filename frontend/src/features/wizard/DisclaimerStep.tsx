import { Eye, Globe, Inbox, Terminal, UserPen, Users, type LucideIcon } from 'lucide-react'
import type { Dispatch } from 'react'
import { Trans, useTranslation } from 'react-i18next'
import type { TestReport } from '@/lib/api'
import { Card, Checkbox, Icon, Switch } from '@/ui'
import { isLocal, type Draft } from './draft'
import { RiskColumns } from './RiskColumns'
import { worstEffect } from './risks'
import { WhereItRuns } from './WhereItRuns'
import type { WizardAction, WizardState } from './wizard'

export interface DisclaimerProps {
  state: WizardState
  report: TestReport
  dispatch: Dispatch<WizardAction>
}

/** Step 5: what this server may do, where it runs, who sees the data; adding takes one tick. */
export function DisclaimerStep({ state, report, dispatch }: DisclaimerProps) {
  const { t } = useTranslation()
  const { draft } = state
  const destroying = report.tools.filter(({ effect }) => effect === 'destroys').length
  return (
    <>
      <RiskColumns tools={report.tools} />
      <Card className="mt-3 px-4 py-3.5">
        <h2 className="mb-2.5 font-semibold">{t('wizard.disclaimer.where')}</h2>
        <WhereItRuns draft={draft} />
        <Facts draft={draft} />
      </Card>
      <Card className="mt-3 flex items-center gap-3 px-4 py-3">
        <div className="min-w-0 flex-1">
          <div className="font-medium">{t('wizard.disclaimer.ask')}</div>
          <div className="text-small text-ink-3">
            {t(draft.ask ? 'wizard.disclaimer.askOn' : 'wizard.disclaimer.askOff')}
          </div>
        </div>
        <Switch
          on={draft.ask}
          onChange={(ask) => dispatch({ type: 'edit', change: { ask } })}
          label={t('wizard.disclaimer.ask')}
        />
      </Card>
      <Checkbox
        on={state.consent}
        onChange={(given) => dispatch({ type: 'consent', given })}
        className="px-1 pt-3.5 pb-1 font-medium"
      >
        {t(`wizard.disclaimer.tick.${worstEffect(report.tools)}`, { count: destroying })}
      </Checkbox>
    </>
  )
}

function Facts({ draft }: { draft: Draft }) {
  const { t } = useTranslation()
  const local = isLocal(draft)
  const folders = draft.roots.length === 0 ? t('wizard.disclaimer.noFolder') : draft.roots.join(', ')
  return (
    <ul className="mt-3.5 grid gap-2.5">
      <Fact
        icon={local ? Terminal : Globe}
        name={local ? 'runsHere' : 'runsThere'}
        values={{ folders, host: hostOf(draft) }}
      />
      <Fact icon={Eye} name={local ? 'results' : 'resultsRemote'} values={{ host: hostOf(draft) }} />
      <Fact icon={draft.instance === '' ? UserPen : Users} name={draft.instance === '' ? 'trust' : 'trustNetwork'} />
      <Fact icon={Inbox} name="requests" />
    </ul>
  )
}

const hostOf = ({ url }: Draft) => (URL.canParse(url) ? new URL(url).host : url)

function Fact({ icon, name, values = {} }: { icon: LucideIcon; name: string; values?: Record<string, string> }) {
  return (
    <li className="flex gap-[9px] text-small text-ink-2">
      <Icon of={icon} size={15} className="mt-[1.5px] text-ink-3" />
      <span>
        <Trans
          i18nKey={`wizard.disclaimer.facts.${name}`}
          values={values}
          components={{ b: <b className="font-medium text-ink" /> }}
        />
      </span>
    </li>
  )
}
