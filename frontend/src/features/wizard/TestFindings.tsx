import { ScanSearch } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { FindingList, findingsOf } from '@/features/vocabulary'
import type { TestReport } from '@/lib/api'
import { Note } from '@/ui'

const MOST = 5

/** The tools whose words a person should look at closely before the server is saved. */
export function TestFindings({ report }: { report: Pick<TestReport, 'tools'> }) {
  const { t } = useTranslation()
  const odd = report.tools.filter((tool) => findingsOf(tool).length > 0)
  if (odd.length === 0) return null
  return (
    <Note tone="attn" icon={ScanSearch} role="note" className="mb-3">
      <b className="font-semibold">{t('findings.inTest')}</b>
      {odd.slice(0, MOST).map((tool) => (
        <section key={tool.name} aria-label={tool.name} className="mt-1">
          <h3 className="mono break-words">{tool.name}</h3>
          <FindingList findings={findingsOf(tool)} />
        </section>
      ))}
      {odd.length > MOST && <p className="mt-1">{t('findings.more', { count: odd.length - MOST })}</p>}
      <p className="mt-1 text-ink-2">{t('findings.consequence')}</p>
    </Note>
  )
}
