import { useNavigate, useRouterState } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useInPlace, useWaitingIds } from '@/features/inbox'
import { Banner, Button } from '@/ui'
import { noticed, type Noticed } from './noticed'

/** The safran bar: requests arrived while the person was elsewhere. It never takes the focus. */
export function NewRequests() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const inInbox = useRouterState({ select: (state) => state.location.pathname.startsWith('/inbox') })
  const [now, setNow] = useState<Noticed>({ seen: undefined, fresh: 0 })
  const next = noticed(now, useWaitingIds(), inInbox, useInPlace())
  if (next !== now) setNow(next)
  const fresh = useSettled(next.fresh)
  if (fresh === 0) return null
  return (
    <Banner
      action={
        <Button small onClick={() => void navigate({ to: '/inbox' })}>
          {t('shell.review')}
        </Button>
      }
    >
      {t('shell.newRequests', { count: fresh })}
    </Banner>
  )
}

/** A request is heard of a moment before the page that made the call shows it: in milliseconds, longer than that. */
const SETTLE = 500

/** The count once it has held for a moment; at once where it goes down. */
function useSettled(count: number): number {
  const [settled, setSettled] = useState(0)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(count), SETTLE)
    return () => clearTimeout(timer)
  }, [count])
  return Math.min(settled, count)
}
