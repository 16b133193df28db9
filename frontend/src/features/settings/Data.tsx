import { Copy } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useStatus } from '@/features/program'
import { useCopy, useFailureWords } from '@/features/vocabulary'
import { Button, StateWord } from '@/ui'
import { LostKey } from './LostKey'
import { SettingRow } from './SettingRow'

/** Where everything is kept. */
export function FolderRow() {
  const { t } = useTranslation()
  const copy = useCopy()
  const folder = useStatus().data?.data_folder ?? ''
  return (
    <SettingRow name={t('settings.folder')} note={<span className="mono break-all">{folder}</span>}>
      <Button small icon={Copy} onClick={() => copy(folder)}>
        {t('settings.copyPath')}
      </Button>
    </SettingRow>
  )
}

/** The file that a person writes, and whether it could be read. */
export function ConfigRow() {
  const { t } = useTranslation()
  const copy = useCopy()
  const words = useFailureWords()
  const status = useStatus().data
  const problem = status?.problems.find(({ code }) => code === 'config_invalid')
  const path = `${status?.data_folder ?? ''}/config.toml`
  return (
    <SettingRow
      name={t('settings.config')}
      note={
        problem ? (
          <span className="text-danger-text">{`${words(problem).what} ${t('policy.kept')}`}</span>
        ) : (
          t('settings.configMore')
        )
      }
    >
      <Button small icon={Copy} onClick={() => copy(path)}>
        {t('settings.copyPath')}
      </Button>
    </SettingRow>
  )
}

/** The address that clients and the command line use. */
export function ListenRow() {
  const { t } = useTranslation()
  const words = useFailureWords()
  const status = useStatus().data
  return (
    <SettingRow
      name={t('settings.listen')}
      note={
        status?.problem ? (
          <span className="text-danger-text">{words(status.problem).what}</span>
        ) : (
          <span className="mono">{status?.url ?? t('settings.notListening')}</span>
        )
      }
    />
  )
}

/** Where the key to the secrets lives, and how to get a keyring when there is none. */
export function SecretsRow() {
  const { t } = useTranslation()
  const words = useFailureWords()
  const secrets = useStatus().data?.secrets
  if (!secrets) return null
  const { kind, degraded, reason } = secrets
  const said = reason && words(reason)
  const isLost = reason?.code === 'secret_key_missing'
  return (
    <>
      <div className="px-3.5 py-[9px]">
        {isLost ? (
          <StateWord shape="stopped" tone="danger">
            {t('settings.secrets.lost')}
          </StateWord>
        ) : (
          <StateWord
            shape={degraded ? 'degraded' : kind === 'unused' ? 'off' : 'ready'}
            tone={degraded ? 'attn' : kind === 'unused' ? 'neutral' : 'ok'}
          >
            {t(`settings.secrets.${kind}`)}
          </StateWord>
        )}
        <div className="mt-px text-small text-ink-3">
          {said ? `${said.what} ${said.fix}` : t(`settings.secrets.${kind}More`)}
        </div>
      </div>
      {isLost && <LostKey secrets={secrets.lost ?? []} />}
      {!degraded && <p className="px-3.5 py-[9px] text-small text-ink-2">{t('settings.secrets.without')}</p>}
    </>
  )
}
