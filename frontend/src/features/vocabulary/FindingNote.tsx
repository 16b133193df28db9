import clsx from 'clsx'
import { ScanSearch } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { TextFinding } from '@/lib/api'
import { Badge, Icon, Note, Tooltip } from '@/ui'
import { FindingList } from './FindingList'

export interface FindingNoteProps {
  findings: readonly TextFinding[]
  /** What is looked at; without it, how many signs there are. */
  title?: string
  className?: string
  /** What else helps to judge. */
  children?: ReactNode
}

/** Why to look closely at what a server says; nothing where there is no reason to. */
export function FindingNote({ findings, title, className, children }: FindingNoteProps) {
  const { t } = useTranslation()
  if (findings.length === 0) return null
  return (
    <Note tone="attn" icon={ScanSearch} role="note" className={clsx(className)}>
      <b className="font-semibold">{title ?? t('findings.title', { count: findings.length })}</b>
      <FindingList findings={findings} />
      <p className="mt-1 text-ink-2">{t('findings.consequence')}</p>
      {children}
    </Note>
  )
}

/** The mark, in a list, of what to look at closely. */
export function FindingMark() {
  const { t } = useTranslation()
  return (
    <Tooltip text={t('findings.mark')}>
      <span className="flex-none">
        <Badge tone="attn" className="px-1!">
          <Icon of={ScanSearch} size={13} />
        </Badge>
        <span className="sr-only">{t('findings.mark')}</span>
      </span>
    </Tooltip>
  )
}
