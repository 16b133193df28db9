import { Link } from '@tanstack/react-router'
import { RotateCw } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useFailureWords } from '@/features/vocabulary'
import type { JsonObject } from '@/lib/json'
import { Button, PageFoot, useToast } from '@/ui'
import type { JournalCall } from './calls'
import { useReplay } from './queries'

/** Playing again is only for what reads, and only when what was sent is known. */
export function CallFoot({ call, isSafe, args }: { call: JournalCall; isSafe: boolean; args: JsonObject | undefined }) {
  const { t } = useTranslation()
  const toast = useToast()
  const words = useFailureWords()
  const replay = useReplay()
  const { server, call_kind: kind = 'tool', name, caller } = call.entry
  const possible = isSafe && (kind === 'resource' || args !== undefined)
  const run = () =>
    replay.mutate(
      { server, kind, name, ...(args ? { arguments: args } : {}), approval_wait_ms: -1, wait_ms: 0 },
      {
        onSuccess: () => toast({ tone: 'ok', text: t('activity.detail.replayed') }),
        onError: (error) => toast({ tone: 'danger', text: words(error).what }),
      },
    )
  return (
    <PageFoot className="px-3.5! py-2.5!">
      {possible && (
        <Button icon={RotateCw} inactive={replay.isPending} onClick={run}>
          {t('activity.detail.replay')}
        </Button>
      )}
      <span className="min-w-0 flex-1 truncate text-small text-ink-3">
        {possible && t('activity.detail.replaySafe')}
      </span>
      <Link to="/policy" search={{ server, name, kind, caller: caller.name }} className="text-small">
        {t('activity.detail.why')}
      </Link>
    </PageFoot>
  )
}
