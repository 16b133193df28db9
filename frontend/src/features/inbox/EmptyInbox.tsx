import { Link } from '@tanstack/react-router'
import { ShieldCheck } from 'lucide-react'
import { Trans, useTranslation } from 'react-i18next'
import { formatWhen } from '@/lib/format'
import { useLang } from '@/lib/i18n'
import { EmptyState, Icon, QuietWire } from '@/ui'
import { closedAt, type Queue } from './queue'
import { useRequestWords } from './useRequestWords'

const action =
  'inline-flex h-7 items-center gap-[7px] rounded-control border px-2.5 text-small font-medium no-underline'

/** Nothing waits: the last answer and two ways on. lost: the address names a request that no longer exists. */
export function EmptyInbox({ queue, lost }: { queue: Queue; lost: boolean }) {
  const { t } = useTranslation()
  const first = queue.today[0]
  const count = queue.today.reduce((sum, card) => sum + card.same.length, 0)
  return (
    <div className="grid flex-1 place-items-center pb-6">
      <EmptyState
        mark={<QuietWire />}
        title={lost ? t('inbox.gone') : t('inbox.empty.title')}
        actions={
          <>
            {first && (
              <Link
                to="/inbox/$id"
                params={{ id: first.request.id }}
                className={`${action} border-line bg-surface text-ink shadow-card`}
              >
                {t('inbox.empty.today', { count })}
              </Link>
            )}
            <Link to="/policy" className={`${action} border-transparent text-ink-2`}>
              <Icon of={ShieldCheck} size={15} />
              {t('inbox.empty.rules')}
            </Link>
          </>
        }
      >
        <LastAnswer queue={queue} />
      </EmptyState>
    </div>
  )
}

function LastAnswer({ queue }: { queue: Queue }) {
  const { t } = useTranslation()
  const lang = useLang()
  const words = useRequestWords()
  if (!queue.last) return t('inbox.empty.never')
  const values = {
    when: formatWhen(closedAt(queue.last.request), lang),
    name: words.what(queue.last),
    answer: words.answer(queue.last.request).toLowerCase(),
  }
  return <Trans i18nKey="inbox.empty.last" values={values} components={{ name: <code /> }} />
}
