import { Copy, RotateCw } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatTime } from '@/lib/format'
import { useLang } from '@/lib/i18n'
import { Button, Card, EmptyState, Socket } from '@/ui'

const every = 5 // seconds, as in the queries' refetchInterval

/** Over the last known page: the core does not answer. The cause, what is safe, and when the next try is. */
export function CoreUnreachable({ since, onRetry }: { since: number; onRetry: () => void }) {
  const { t } = useTranslation()
  const lang = useLang()
  const left = useCountdown(every)
  const known = since > 0 ? t('unreachable.lastKnown', { time: formatTime(new Date(since), lang) }) : ''
  const diagnosis = () =>
    void navigator.clipboard.writeText(`${t('unreachable.title')}. ${known}\n${navigator.userAgent}`)
  return (
    <div
      className="absolute inset-0 z-30 bg-canvas/55 px-5 pt-[66px]"
      role="alertdialog"
      aria-label={t('unreachable.title')}
    >
      <Card className="mx-auto max-w-[400px] bg-raised! shadow-dialog!">
        <EmptyState
          mark={<Socket shape="stopped" tone="danger" size={24} />}
          title={t('unreachable.title')}
          actions={
            <>
              <Button look="ghost" icon={Copy} onClick={diagnosis}>
                {t('unreachable.copy')}
              </Button>
              <Button look="primary" icon={RotateCw} onClick={onRetry}>
                {t('common.retry')}
              </Button>
            </>
          }
        >
          {t('unreachable.body')} {known}
        </EmptyState>
        <p className="pb-3 text-center text-caption text-ink-3">{t('unreachable.next', { count: left })}</p>
      </Card>
    </div>
  )
}

function useCountdown(from: number): number {
  const [left, setLeft] = useState(from)
  useEffect(() => {
    const timer = setInterval(() => setLeft((now) => (now <= 1 ? from : now - 1)), 1000)
    return () => clearInterval(timer)
  }, [from])
  return left
}
