import { Eye, Pencil, TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { InboxRequest } from '@/lib/api'
import { Note, type Tone } from '@/ui'

const looks = {
  reads: { tone: 'neutral', icon: Eye },
  writes: { tone: 'attn', icon: Pencil },
  destroys: { tone: 'danger', icon: TriangleAlert },
  resource: { tone: 'neutral', icon: Eye },
  prompt: { tone: 'neutral', icon: Eye },
} as const satisfies Record<string, { tone: Tone; icon: typeof Eye }>

/** What may happen, in words. The effect is a claim of the server; what it leaves out is taken to write. */
export function RiskNote({ request, server }: { request: InboxRequest; server: string }) {
  const { t } = useTranslation()
  const kind =
    request.call_kind === 'resource' || request.call_kind === 'prompt'
      ? request.call_kind
      : (request.effect ?? 'writes')
  return (
    <Note tone={looks[kind].tone} icon={looks[kind].icon}>
      <b className="font-semibold">{t(`inbox.risk.${kind}`)}</b> {t(`inbox.risk.${kind}More`, { server })}
    </Note>
  )
}
