import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Call } from '@/lib/api'
import { formatDuration } from '@/lib/format'
import { useLang } from '@/lib/i18n'
import { useNow } from '@/lib/useNow'
import { Button, Socket } from '@/ui'
import { useCancelCall } from '../queries'
import { outcomeLooks } from './outcomeLooks'
import { outcomeOf, progressOf, taskOf } from './result'

/** A call on its way: for how long, how far, what the server says, and the way to stop it. */
export function Running({ call }: { call: Call }) {
  const { t } = useTranslation()
  const lang = useLang()
  const elapsed = useNow(200).getTime() - Date.parse(call.started_at)
  const progress = progressOf(call)
  const task = taskOf(call)
  const look = outcomeLooks[outcomeOf(call)]
  const bar = useRef<HTMLDivElement>(null)
  useEffect(() => {
    bar.current?.style.setProperty('width', `${(progress?.part ?? 0) * 100}%`)
  })
  return (
    <div className="grid flex-1 place-items-center">
      <div className="w-[min(320px,90%)] space-y-3 text-center">
        <Socket {...look} size={24} className="mx-auto" />
        <div className="text-small text-ink-2 tabular-nums">{formatDuration(Math.max(0, elapsed), lang)}</div>
        {progress?.part !== undefined && (
          <div
            role="progressbar"
            aria-label={t('server.result.progress')}
            aria-valuenow={Math.round(progress.part * 100)}
            className="h-1.5 overflow-hidden rounded-[3px] bg-sunken shadow-[inset_0_0_0_1px_var(--line)]"
          >
            <div ref={bar} className="h-full bg-accent" />
          </div>
        )}
        {progress?.message && <p className="text-small break-words text-ink-3">{progress.message}</p>}
        {task && (
          <p className="text-small break-words text-ink-3">
            {t('server.result.task')} <span className="mono">{task.id}</span>
            {task.message !== '' && <> · {task.message}</>}
          </p>
        )}
        <CancelLine call={call} />
      </div>
    </div>
  )
}

/** The way to stop waiting for a call. */
export function CancelLine({ call }: { call: Call }) {
  const { t } = useTranslation()
  const cancel = useCancelCall()
  return (
    <div className="flex justify-center pb-3">
      <Button small look="ghost" inactive={cancel.isPending} onClick={() => cancel.mutate(call.id)}>
        {t('server.result.cancel')}
      </Button>
    </div>
  )
}
