import type { UseQueryResult } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useFailureWords } from '@/features/vocabulary'
import { ApiError, type Definition, type Pasted } from '@/lib/api'
import { Button, Segmented, Socket } from '@/ui'

export interface PasteResultProps {
  text: string
  parsed: UseQueryResult<Pasted>
  choice: number
  onChoose: (choice: number) => void
  onTake: (definition: Definition) => void
  onClear: () => void
}

/** What was recognised: how many servers and secrets; of several servers, one is picked. */
export function PasteResult({ text, parsed, choice, onChoose, onTake, onClear }: PasteResultProps) {
  const { t } = useTranslation()
  const pasted = text.trim() === '' ? undefined : parsed.data
  const definition = pasted?.definitions[choice] ?? pasted?.definitions[0]
  useEffect(() => {
    if (definition) onTake(definition)
  }, [definition, onTake])
  return (
    <div id="wizard-paste-result" role="status" className="mt-[9px] flex min-h-7 flex-wrap items-center gap-2">
      {pasted && definition ? (
        <Recognised pasted={pasted} definition={definition} />
      ) : (
        <NotRecognised text={text} error={parsed.error} />
      )}
      {pasted && pasted.definitions.length > 1 && (
        <Segmented
          small
          label={t('wizard.paste.pick')}
          value={String(Math.min(choice, pasted.definitions.length - 1))}
          onChange={(value) => onChoose(Number(value))}
          segments={pasted.definitions.map((one, n) => ({ value: String(n), label: one.name }))}
        />
      )}
      {text !== '' && (
        <Button small look="ghost" onClick={onClear}>
          {t('wizard.paste.clear')}
        </Button>
      )}
    </div>
  )
}

function Recognised({ pasted, definition }: { pasted: Pasted; definition: Definition }) {
  const { t } = useTranslation()
  const words = useFailureWords()
  const format = t(`wizard.paste.formats.${pasted.format}`, { read: pasted.read })
  const servers = t('wizard.paste.servers', { count: pasted.definitions.length })
  return (
    <>
      <Socket shape="done" tone="ok" />
      <span className="min-w-0 flex-1 basis-60 text-small">
        <b className="font-medium">
          {t('wizard.paste.recognised', {
            format,
            servers,
            transport: t(`wizard.transports.${definition.transport}.name`),
          })}
        </b>{' '}
        <span className="text-ink-2">
          {pasted.secrets > 0 ? t('wizard.paste.filledSecrets', { count: pasted.secrets }) : t('wizard.paste.filled')}
          {pasted.warnings?.map((warning) => ` ${words(warning).what}`)}
        </span>
      </span>
    </>
  )
}

function NotRecognised({ text, error }: { text: string; error: unknown }) {
  const { t } = useTranslation()
  if (text.trim() === '') return <span className="flex-1 text-small text-ink-3">{t('wizard.paste.hint')}</span>
  if (!(error instanceof ApiError)) return null
  const { read = '', line = '1', column = '1' } = error.args
  const as = ['command', 'json', 'toml', 'yaml', 'claude'].includes(read)
    ? t(`wizard.paste.as.${read}`)
    : t('wizard.paste.as.text')
  return (
    <>
      <Socket shape="stopped" tone="danger" />
      <span className="min-w-0 flex-1 text-small">
        <b className="font-medium">{t('wizard.paste.unknown', { as, line, column })}</b>{' '}
        <span className="text-ink-2">{t('wizard.paste.unchanged')}</span>
      </span>
    </>
  )
}
