import { useTranslation } from 'react-i18next'
import { isLocal } from '@/features/connexions'
import type { Server, Variable } from '@/lib/api'
import { KeyValue, KeyValueList } from '@/ui'

/** The command or the address, as it is kept: references in place of secrets. */
export function HowReached({ server }: { server: Server }) {
  const { t } = useTranslation()
  const { server_info: info } = server
  const command = [server.command ?? '', ...(server.args ?? [])].join(' ')
  return (
    <div className="px-3.5 py-2.5">
      <KeyValueList>
        {isLocal(server) ? (
          <KeyValue name={t('server.settings.command')}>
            <Machine>{command}</Machine>
          </KeyValue>
        ) : (
          <KeyValue name={t('server.settings.address')}>
            <Machine>{server.url ?? ''}</Machine>
          </KeyValue>
        )}
        {server.cwd && (
          <KeyValue name={t('server.settings.folder')}>
            <Machine>{server.cwd}</Machine>
          </KeyValue>
        )}
        <Variables name={t('server.settings.env')} list={server.env} />
        <Variables name={t('server.settings.headers')} list={server.headers} />
        <KeyValue name={t('server.settings.prefix')}>
          <Machine>{server.prefix}</Machine>
        </KeyValue>
        {info && <KeyValue name={t('server.settings.says')}>{`${info.title ?? info.name} ${info.version}`}</KeyValue>}
        {server.pid ? <KeyValue name={t('server.settings.pid')}>{server.pid}</KeyValue> : null}
      </KeyValueList>
    </div>
  )
}

function Variables({ name, list = [] }: { name: string; list?: Variable[] | undefined }) {
  if (list.length === 0) return null
  return (
    <KeyValue name={name}>
      {list.map((variable) => (
        <div key={variable.name}>
          <Machine>{`${variable.name} = ${variable.value}`}</Machine>
        </div>
      ))}
    </KeyValue>
  )
}

function Machine({ children }: { children: string }) {
  return <span className="mono break-all">{children}</span>
}
