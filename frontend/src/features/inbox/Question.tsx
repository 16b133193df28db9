import { Trans } from 'react-i18next'
import type { InboxRequest } from '@/lib/api'

/** Our sentence with the name of the thing in the machine's type, never the server's words as a title. */
export function Question({ request }: { request: InboxRequest }) {
  const asks = request.kind === 'tool' ? (request.call_kind ?? 'tool') : 'other'
  return (
    <Trans
      i18nKey={`inbox.asks.${asks}`}
      values={{ name: request.tool }}
      components={{ name: <code className="text-[.94em] font-medium" /> }}
    />
  )
}
