import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, Dialog, RadioGroup, RadioRow } from '@/ui'
import { useSetting } from './useSetting'

const choices = ['terminal', 'always', 'never'] as const

type Choice = (typeof choices)[number]

/** Who may widen rights from a terminal. "Always" asks once more, since an agent with a shell could then approve itself. */
export function FromTerminal() {
  const { t } = useTranslation()
  const { setting, value, fixed, change } = useSetting('approvals.from_cli')
  const [asking, setAsking] = useState(false)
  const chosen = choices.find((known) => known === value) ?? 'terminal'
  const choose = (next: Choice) => {
    if (next === 'always' && !fixed) setAsking(true)
    else change(next)
  }
  return (
    <>
      {fixed && <p className="px-3.5 py-[9px] text-small text-ink-2">{t('settings.fixed', { line: setting?.line })}</p>}
      <RadioGroup<Choice> label={t('settings.cli.title')} value={chosen} onChange={choose} className="py-1">
        {choices.map((choice) => (
          <RadioRow
            key={choice}
            value={choice}
            chosen={false}
            title={t(`settings.cli.${choice}`)}
            className="py-[7px]!"
          >
            {t(`settings.cli.${choice}More`)}
          </RadioRow>
        ))}
      </RadioGroup>
      <Dialog
        open={asking}
        onClose={() => setAsking(false)}
        title={t('settings.cli.sure')}
        description={t('settings.cli.sureMore')}
        actions={
          <>
            <Button onClick={() => setAsking(false)}>{t('settings.cli.keep')}</Button>
            <Button
              look="danger"
              onClick={() => {
                change('always')
                setAsking(false)
              }}
            >
              {t('settings.cli.confirm')}
            </Button>
          </>
        }
      />
    </>
  )
}
