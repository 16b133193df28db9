import { Link } from '@tanstack/react-router'
import { RotateCw } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useFillIn } from '@/lib/fillIn'
import type { JsonObject } from '@/lib/json'
import { Button, PageFoot } from '@/ui'
import type { JournalCall } from './calls'

export interface CallFootProps {
  call: JournalCall
  /** It changes nothing. */
  isSafe: boolean
  /** What was sent; undefined where nobody knows. */
  args: JsonObject | undefined
}

/** Playing again is only for what reads, and only when what was sent is known. It opens the form and sends nothing. */
export function CallFoot({ call, isSafe, args }: CallFootProps) {
  const { t } = useTranslation()
  const fillIn = useFillIn()
  const { server, call_kind: kind = 'tool', name, caller } = call.entry
  const known = kind === 'resource' ? {} : args
  return (
    <PageFoot className="min-h-[53px] px-3.5! py-2.5!">
      {isSafe && known && (
        <>
          <Button icon={RotateCw} onClick={() => fillIn(call.id, { server, kind, name }, known)}>
            {t('activity.detail.replay')}
          </Button>
          <span className="min-w-0 flex-1 truncate text-small text-ink-3" title={t('activity.detail.replaySafe')}>
            {t('activity.detail.replaySafe')}
          </span>
        </>
      )}
      <Link to="/policy" search={{ server, name, kind, caller: caller.name }} className="ml-auto text-small">
        {t('activity.detail.why')}
      </Link>
    </PageFoot>
  )
}
