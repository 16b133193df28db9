import { useTranslation } from 'react-i18next'
import { FindingNote } from '@/features/vocabulary'
import type { Server } from '@/lib/api'

/** What the server tells every model that uses it, where that is to be looked at closely. The words are plain text. */
export function InstructionsNote({ server }: { server: Server }) {
  const { t } = useTranslation()
  return (
    <FindingNote findings={server.instruction_findings ?? []} title={t('findings.inInstructions')}>
      <details className="mt-1">
        <summary className="w-fit rounded-badge text-accent-text">{t('findings.readInstructions')}</summary>
        <p className="mt-1 max-h-40 overflow-y-auto break-words whitespace-pre-line text-ink-2">
          {server.instructions}
        </p>
      </details>
    </FindingNote>
  )
}
