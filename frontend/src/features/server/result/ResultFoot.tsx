import { Copy, Download } from 'lucide-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useCopy } from '@/features/vocabulary'
import type { Call } from '@/lib/api'
import { formatAgo, formatBytes } from '@/lib/format'
import type { Target } from '@/lib/fillIn'
import { useLang } from '@/lib/i18n'
import { writeJson } from '@/lib/json'
import { useNow } from '@/lib/useNow'
import { IconButton } from '@/ui'
import { rawResult } from '../queries'
import { saveText } from '@/lib/save'
import { blocksOf, plainText } from './result'

/** How much came back and when, with the ways to take it along. */
export function ResultFoot({ call, target }: { call: Call; target: Target }) {
  const { t } = useTranslation()
  const lang = useLang()
  const now = useNow(1000)
  const copy = useCopy()
  const raw = rawResult(call)
  const text = useMemo(() => writeJson(raw), [raw])
  const count = blocksOf(call.kind, raw).length
  const ended = new Date(Date.parse(call.started_at) + call.duration_ms)
  const facts = [t('server.result.blocks', { count }), formatBytes(text.length, lang), formatAgo(ended, lang, now)]
  return (
    <div className="flex h-10 flex-none items-center border-t border-line-subtle pr-2 pl-3.5 text-caption text-ink-3">
      <span className="min-w-0 flex-1 truncate">{facts.join(' · ')}</span>
      <IconButton icon={Copy} label={t('server.result.copy')} onClick={() => copy(plainText(call.kind, raw))} />
      <IconButton
        icon={Download}
        label={t('server.result.save')}
        onClick={() => saveText(`${target.name}.json`, writeJson(raw, 2))}
      />
    </div>
  )
}
