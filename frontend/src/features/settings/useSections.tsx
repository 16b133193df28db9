import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { LanguageRow, SwitchRow, ThemeRow } from './Appearance'
import { ConfigRow, FolderRow, ListenRow, SecretsRow } from './Data'
import { Doctor } from './Doctor'
import { FromTerminal } from './FromTerminal'
import { Model } from './Model'
import { NumberRow } from './NumberRow'
import { callbackPort, keepDays, numberSettings } from './numbers'
import { OpenFolders } from './OpenFolders'
import { TextRow } from './TextRow'

export interface Section {
  key: string
  /** The machine's name, after the title. */
  code?: string
  /** What it is found by, besides its title. */
  words: readonly string[]
  rows: ReactNode
}

/** All settings, in the two columns of the page. */
export function useSections(): [Section[], Section[]] {
  const { t } = useTranslation()
  const names = numberSettings.map(({ key }) => t(`settings.numbers.${key.replace('.', '_')}.name`))
  const requests = t('settings.notifyRequests')
  const servers = t('settings.notifyServers')
  const network = t('settings.notifyNetwork')
  const letters = t('settings.letters')
  const signIn = [t('settings.numbers.oauth_callback_port.name'), t('settings.signIn.document')]
  const left: Section[] = [
    {
      key: 'appearance',
      words: [t('settings.language'), t('settings.theme'), letters],
      rows: (
        <>
          <LanguageRow />
          <ThemeRow />
          <SwitchRow settingKey="ui.letter_shortcuts" name={letters} note={t('settings.lettersMore')} />
        </>
      ),
    },
    {
      key: 'defaults',
      words: names,
      rows: numberSettings.map((number) => <NumberRow key={number.key} number={number} />),
    },
    {
      key: 'notifications',
      words: [requests, servers, network],
      rows: (
        <>
          <SwitchRow settingKey="notifications.requests" name={requests} />
          <SwitchRow settingKey="notifications.servers" name={servers} />
          <SwitchRow settingKey="notifications.network" name={network} note={t('settings.notifyNetworkMore')} />
        </>
      ),
    },
  ]
  const right: Section[] = [
    {
      key: 'model',
      words: ['ollama', 'openai', 'sampling', t('settings.model.address'), t('settings.model.key')],
      rows: <Model />,
    },
    {
      key: 'data',
      words: [
        ...(['folder', 'config', 'listen', 'authorities', 'auditArguments', 'folders'] as const).map((row) =>
          t(`settings.${row}`),
        ),
        t('settings.numbers.audit_keep_days.name'),
      ],
      rows: (
        <>
          <FolderRow />
          <ConfigRow />
          <ListenRow />
          <NumberRow number={keepDays} />
          <SwitchRow
            settingKey="audit.arguments"
            name={t('settings.auditArguments')}
            note={t('settings.auditArgumentsMore')}
          />
          <OpenFolders />
          <TextRow
            settingKey="tls.ca_file"
            name={t('settings.authorities')}
            note={t('settings.authoritiesMore')}
            none={t('settings.authoritiesNone')}
          />
        </>
      ),
    },
    {
      key: 'signIn',
      code: '[oauth]',
      words: ['oauth', ...signIn],
      rows: (
        <>
          <NumberRow number={callbackPort} />
          <TextRow
            settingKey="oauth.client_metadata_url"
            name={t('settings.signIn.document')}
            note={t('settings.signIn.documentMore')}
            none={t('settings.signIn.documentNone')}
          />
        </>
      ),
    },
    { key: 'secrets', words: ['keyring', t('settings.secrets.keyring')], rows: <SecretsRow /> },
    { key: 'cli', code: '[approvals] from_cli', words: ['from_cli', 'terminal'], rows: <FromTerminal /> },
    { key: 'doctor', words: ['doctor', 'node', 'docker', 'uv', 'proxy'], rows: <Doctor /> },
  ]
  return [left, right]
}
