import { useTranslation } from 'react-i18next'
import { RecentCalls } from '@/features/activity'
import { useServers } from '@/features/connexions'
import { useCallerName } from '@/features/vocabulary'
import type { InboxRequest } from '@/lib/api'
import { KeyValue, KeyValueList } from '@/ui'
import { earlierOf } from './earlier'
import { useRequestWords } from './useRequestWords'

/** What the same caller did just before, and the tool: from 1400 px only, since nothing here is needed to decide. */
export function Context({ request, all }: { request: InboxRequest; all: readonly InboxRequest[] }) {
  const { t } = useTranslation()
  const callerName = useCallerName()
  const server = useServers().data?.find(({ id }) => id === request.server)
  const name = useRequestWords().what({ request, same: [request] })
  const { yes, no } = earlierOf(request, all)
  return (
    <aside className="hidden w-80 flex-none overflow-y-auto border-l border-line bg-canvas px-5 py-7 [--wire-ground:var(--bg-canvas)] lg:block">
      {request.caller.kind !== 'server' && ( // a server calls nothing
        <>
          <h3 className="mb-3 text-small font-semibold">
            {t('inbox.context.title', { who: callerName(request.caller) })}
          </h3>
          <RecentCalls
            caller={request.caller}
            waiting={request.status === 'waiting' ? { name, at: request.created_at } : undefined}
          />
        </>
      )}
      <h3 className="mt-6 mb-2.5 text-small font-semibold first:mt-0">
        {t(request.tool === '' ? 'inbox.context.server' : 'inbox.context.tool')}
      </h3>
      <KeyValueList>
        <KeyValue name={t('inbox.context.server')}>
          {server ? `${server.name}, ${t(`trust.${server.trust}`).toLowerCase()}` : request.server}
        </KeyValue>
        {request.definition_digest && (
          <KeyValue name={t('inbox.context.definition')}>
            <span className="mono">{shortDigest(request.definition_digest)}</span>
          </KeyValue>
        )}
        <KeyValue name={t('inbox.context.answers')}>{t('inbox.context.counts', { yes, no })}</KeyValue>
      </KeyValueList>
    </aside>
  )
}

function shortDigest(digest: string): string {
  return `${digest.slice(0, 4)}…${digest.slice(-4)}`
}
