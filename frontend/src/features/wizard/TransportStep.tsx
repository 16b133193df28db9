import { History } from 'lucide-react'
import type { Dispatch } from 'react'
import { useCallback } from 'react'
import { Trans, useTranslation } from 'react-i18next'
import type { Definition, Transport } from '@/lib/api'
import { Badge, RadioCard, RadioGroup } from '@/ui'
import { PasteBox } from './PasteBox'
import { TransportDrawing } from './TransportDrawing'
import type { WizardAction, WizardState } from './wizard'

const transports: readonly Transport[] = ['stdio', 'streamable_http', 'sse']

/** Step 1: what joins Apollia and the server. A paste fills this step and the next two. */
export function TransportStep({ state, dispatch }: { state: WizardState; dispatch: Dispatch<WizardAction> }) {
  const { t } = useTranslation()
  const onText = useCallback((text: string) => dispatch({ type: 'pasted', text }), [dispatch])
  const onTake = useCallback((definition: Definition) => dispatch({ type: 'took', definition }), [dispatch])
  return (
    <>
      <PasteBox
        text={state.paste}
        onText={onText}
        choice={state.choice}
        onChoose={(choice) => dispatch({ type: 'choose', choice })}
        onTake={onTake}
      />
      <RadioGroup
        label={t('wizard.step.transport')}
        value={state.draft.transport}
        onChange={(transport: Transport) => dispatch({ type: 'transport', transport })}
        className="mt-3 grid gap-2.5"
      >
        {transports.map((transport) => (
          <RadioCard
            key={transport}
            value={transport}
            chosen={state.draft.transport === transport}
            title={t(`wizard.transports.${transport}.name`)}
            badges={
              <>
                <Badge>{t(transport === 'stdio' ? 'wizard.local' : 'wizard.remote')}</Badge>
                {transport === 'sse' && (
                  <Badge plain icon={History}>
                    {t('wizard.legacy')}
                  </Badge>
                )}
              </>
            }
            drawing={<TransportDrawing transport={transport} chosen={state.draft.transport === transport} />}
          >
            <span className="block text-small text-ink-2">{t(`wizard.transports.${transport}.what`)}</span>
            <span className="mt-1 block text-small">
              <span className="text-ink-3">{t('wizard.when')}</span>{' '}
              <Trans i18nKey={`wizard.transports.${transport}.when`} components={{ code: <code /> }} />
            </span>
            <span className="mt-0.5 block text-caption text-ink-3">
              {t('wizard.need')} {t(`wizard.transports.${transport}.need`)}
            </span>
          </RadioCard>
        ))}
      </RadioGroup>
    </>
  )
}
