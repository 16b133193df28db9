import { Bot, Globe, Terminal, UserCheck } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Line, Route, Stop } from '@/ui'
import { isLocal, type Draft } from './draft'

/** The route from the agents to the server, and on to where a local program may reach. */
export function WhereItRuns({ draft }: { draft: Draft }) {
  const { t } = useTranslation()
  const local = isLocal(draft)
  const secure = draft.url.startsWith('https:')
  const host = URL.canParse(draft.url) ? new URL(draft.url).host : draft.url
  return (
    <Route label={t('wizard.disclaimer.where')}>
      <Stop icon={Bot} name={t('wizard.disclaimer.agents')} note={t('wizard.disclaimer.agentsNote')} />
      <Line />
      <Stop
        gate
        icon={UserCheck}
        name="Apollia"
        note={t(draft.ask ? 'wizard.disclaimer.withYou' : 'wizard.disclaimer.withRules')}
      />
      <Line />
      {local ? (
        <>
          <Stop icon={Terminal} name={draft.name} note={t('wizard.disclaimer.thisComputer')} />
          <Line dashed />
          <Stop icon={Globe} name={t('wizard.disclaimer.beyond')} note={t('wizard.disclaimer.beyondNote')} />
        </>
      ) : (
        <Stop
          icon={Globe}
          name={host}
          note={t(secure ? 'wizard.disclaimer.remoteTls' : 'wizard.disclaimer.remotePlain')}
        />
      )}
    </Route>
  )
}
