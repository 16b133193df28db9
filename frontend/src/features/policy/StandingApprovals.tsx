import { useTranslation } from 'react-i18next'
import { FailureNote, useCallerName } from '@/features/vocabulary'
import type { Approval } from '@/lib/api'
import { formatDay, formatWhen } from '@/lib/format'
import { useLang } from '@/lib/i18n'
import { Button, Drawer, Socket } from '@/ui'
import { useApprovals, useRevoke } from './queries'

/** Every "always" and "for this session", each with the way to take it back. */
export function StandingApprovals({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useTranslation()
  const approvals = useApprovals()
  return (
    <Drawer open={open} onClose={onClose} title={t('policy.standing.title')} closeLabel={t('common.close')}>
      <p className="mb-3 text-small text-ink-2">{t('policy.standing.more')}</p>
      {approvals.isError && <FailureNote error={approvals.error} onRetry={() => approvals.refetch()} />}
      {approvals.data?.length === 0 && <p className="text-small text-ink-3">{t('policy.standing.none')}</p>}
      <ul className="divide-y divide-line-subtle">
        {approvals.data?.map((approval) => (
          <li key={approval.id} className="flex min-h-[52px] items-center gap-3 py-2">
            <Socket shape="done" tone="ok" />
            <div className="min-w-0 flex-1">
              <div className="text-[13px] leading-[18px] break-words">
                <ApprovalWords approval={approval} part="what" />
              </div>
              <div className="text-caption break-words text-ink-3">
                <ApprovalWords approval={approval} part="note" />
              </div>
            </div>
            <RevokeButton approval={approval} />
          </li>
        ))}
      </ul>
    </Drawer>
  )
}

/** What an approval is for, or how long it lasts. */
export function ApprovalWords({ approval, part }: { approval: Approval; part: 'what' | 'note' }) {
  const { t } = useTranslation()
  const lang = useLang()
  const name = useCallerName()
  if (part === 'what') {
    if (approval.kind === 'sampling')
      return t('policy.standing.texts', { server: approval.server, who: name(approval.caller) })
    return (
      <>
        {name(approval.caller)} → <span className="mono">{`${approval.server}.${approval.name}`}</span>
      </>
    )
  }
  const end = approval.until
    ? t('policy.standing.until', { day: formatDay(approval.until, lang) })
    : t(approval.scope === 'session' ? 'policy.standing.session' : 'policy.standing.unchanged')
  return `${t('policy.standing.since', { when: formatWhen(approval.created_at, lang) })}, ${end}`
}

export function RevokeButton({ approval }: { approval: Approval }) {
  const { t } = useTranslation()
  const revoke = useRevoke()
  return (
    <Button
      small
      look="ghost"
      className="-mr-1.5"
      aria-label={t('policy.standing.revokeOf', { name: `${approval.server}.${approval.name}` })}
      inactive={revoke.isPending}
      onClick={() => revoke.mutate(approval.id)}
    >
      {t('policy.standing.revoke')}
    </Button>
  )
}
