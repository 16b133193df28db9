import { useTranslation } from 'react-i18next'
import type { TestReport } from '@/lib/api'
import { formatDuration } from '@/lib/format'
import { useLang } from '@/lib/i18n'
import { Card, Socket } from '@/ui'
import { announced, elapsedOf } from './report'

const known = ['tools', 'resources', 'prompts', 'logging', 'completions', 'tasks']

/** A test that passed: how long it took, who answers, in which revision, with what. */
export function TestSummary({ report }: { report: TestReport }) {
  const { t } = useTranslation()
  const lang = useLang()
  const info = report.server_info
  const capabilities = announced(report).map((name) =>
    known.includes(name) ? t(`wizard.test.capability.${name}`) : name,
  )
  return (
    <Card className="mb-3 flex items-center gap-2.5 px-3.5 py-3">
      <Socket shape="ready" tone="ok" size={20} />
      <div className="min-w-0 flex-1">
        <h2 className="font-semibold">
          {t('wizard.test.connected', { time: formatDuration(elapsedOf(report), lang, 1) })}
        </h2>
        <p className="text-small text-ink-2">
          {info && `${info.title ?? info.name} ${info.version} · `}MCP{' '}
          <span className="mono">{report.protocol_version}</span>
          {capabilities.length > 0 && ` · ${capabilities.join(', ')}`}
        </p>
      </div>
    </Card>
  )
}
