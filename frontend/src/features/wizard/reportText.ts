import type { TestReport } from '@/lib/api'
import type { FailureWords } from '@/features/vocabulary'
import { formatDuration, type Lang } from '@/lib/format'
import { proofOf } from './fixes'
import { rowsOf } from './report'

/** The report as text to send to someone; the core has masked its secrets already. */
export function reportText(
  report: TestReport,
  words: (error: unknown) => FailureWords,
  stepName: (name: string) => string,
  lang: Lang,
): string {
  const rows = rowsOf(report, 0)
    .filter(({ ms }) => ms !== undefined)
    .map((row) => {
      const mark = row.state === 'ok' || row.state === 'skipped' ? '+' : '-'
      return `${mark} ${stepName(row.name)} (${formatDuration(row.ms ?? 0, lang)}) ${row.detail}`.trimEnd()
    })
  const cause = report.error ? ['', words(report.error).what, words(report.error).fix, `(${report.error.code})`] : []
  const proof = proofOf(report)
  return [
    `${report.name}, ${report.transport}, ${report.started_at}`,
    ...rows,
    ...cause,
    ...(proof ? ['', proof] : []),
  ].join('\n')
}
