import { Trans } from 'react-i18next'
import { useServerName } from '@/features/connexions'
import type { InboxRequest } from '@/lib/api'
import { askedBy, isToolChange } from './ended'
import { isNewSetup, isSetup } from './setup'

/** Our sentence with the name of the thing in the machine's type, never the server's words as a title. */
export function Question({ request }: { request: InboxRequest }) {
  const server = useServerName()(request.server)
  return (
    <Trans
      i18nKey={`inbox.asks.${asksOf(request)}`}
      values={{ name: request.tool, server }}
      components={{ name: <code className="text-[.94em] font-medium" /> }}
    />
  )
}

function asksOf(request: InboxRequest) {
  if (request.kind === 'tool') return request.call_kind ?? 'tool'
  if (request.kind === 'sampling') return request.text_for === undefined ? 'text' : 'written'
  if (isSetup(request)) return isNewSetup(request) ? 'newSetup' : 'setup'
  if (isToolChange(request)) return request.params?.before === undefined ? 'newTool' : 'changedTool'
  if (request.address?.opened) return 'pageAgain'
  return askedBy(request)
}
