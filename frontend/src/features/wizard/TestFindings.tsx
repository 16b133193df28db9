import { ScanSearch } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { FindingList, findingsOf } from '@/features/vocabulary'
import type { TestReport } from '@/lib/api'
import { Note } from '@/ui'

const MOST = 5

/** What the server says that a person should look at closely before it is saved. */
export function TestFindings({ report }: { report: TestReport }) {
  const { t } = useTranslation()
  const instructions = { name: t('findings.instructions'), findings: report.instruction_findings ?? [] }
  const { tools, prompts, resources, templates } = report
  const odd = [instructions, ...tools, ...prompts, ...resources, ...templates].filter(
    (said) => findingsOf(said).length > 0,
  )
  if (odd.length === 0) return null
  return (
    <Note tone="attn" icon={ScanSearch} role="note" className="mb-3">
      <b className="font-semibold">{t('findings.inTest')}</b>
      {odd.slice(0, MOST).map((said, n) => (
        <section key={n} aria-label={said.name} className="mt-1">
          <h3 className={said === instructions ? 'font-medium' : 'mono break-words'}>{said.name}</h3>
          <FindingList findings={findingsOf(said)} />
        </section>
      ))}
      {odd.length > MOST && <p className="mt-1">{t('findings.more', { count: odd.length - MOST })}</p>}
      <p className="mt-1 text-ink-2">{t('findings.consequence')}</p>
    </Note>
  )
}
