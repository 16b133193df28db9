import { useTranslation } from 'react-i18next'
import type { TextFinding } from '@/lib/api'
import { placeOf } from './finding'

const MOST = 5

/** What to look at closely in the words of a server: why, where, and the words, with what is not seen in them. */
export function FindingList({ findings }: { findings: readonly TextFinding[] }) {
  const { t } = useTranslation()
  const sentence = ({ code, field }: TextFinding) => {
    const { key, ...facts } = placeOf(field)
    return t('findings.in', { what: t(`findings.codes.${code}`), where: t(`findings.where.${key}`, facts) })
  }
  return (
    <ul className="mt-1 list-disc space-y-0.5 pl-4 marker:text-attn-mark">
      {findings.slice(0, MOST).map((finding) => (
        <li key={`${finding.code} ${finding.field}`} className="break-words">
          {sentence(finding)}
          {finding.text !== '' && <q className="mono block break-words text-ink-2">{finding.text}</q>}
        </li>
      ))}
      {findings.length > MOST && <li>{t('findings.more', { count: findings.length - MOST })}</li>}
    </ul>
  )
}
