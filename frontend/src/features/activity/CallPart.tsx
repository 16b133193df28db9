import { Copy } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useCopy } from '@/features/vocabulary'
import { writeJson, type Json } from '@/lib/json'
import { IconButton, JsonCode } from '@/ui'

/** What was sent or came back, or why it is not here. */
export function CallPart({
  title,
  note,
  value,
  absent,
}: {
  title: ReactNode
  note?: ReactNode
  value: Json | undefined
  absent: string
}) {
  const { t } = useTranslation()
  const copy = useCopy()
  const text = value === undefined ? '' : writeJson(value, 2)
  return (
    <>
      <div className="mt-3.5 mb-1.5 flex min-h-7 items-center gap-2">
        <h3 className="text-small font-semibold">{title}</h3>
        {note !== undefined && <span className="text-caption text-ink-3">{note}</span>}
        <span className="flex-1" />
        {value !== undefined && <IconButton icon={Copy} label={t('common.copy')} onClick={() => copy(text)} />}
      </div>
      {value === undefined ? (
        <p className="text-small text-ink-3">{absent}</p>
      ) : (
        <JsonCode className="max-h-72" text={text.slice(0, 20_000)} />
      )}
    </>
  )
}
