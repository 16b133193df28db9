import { SearchX } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { FailureNote } from '@/features/vocabulary'
import { Button, CardList, EmptyState, Icon, QuietWire, Skeleton, SkeletonRow } from '@/ui'
import { useCategory, useSearch } from './queries'
import { ToolRow } from './ToolRow'

export interface FoundProps {
  question: string
  category: string
  as: string
  /** There are no tools at all. */
  empty: boolean
  onAsk: (question: string) => void
}

/** What a question finds, else the tools of the open category, else what one can ask. */
export function Found({ question, category, as, empty, onAsk }: FoundProps) {
  const { t } = useTranslation()
  const asked = question.trim() !== ''
  const search = useSearch(question, as)
  const inside = useCategory(asked ? '' : category, as)
  const error = asked ? search.error : category !== '' ? inside.error : null
  if (error) return <FailureNote error={error} onRetry={() => (asked ? search : inside).refetch()} />
  if (empty) {
    return (
      <EmptyState mark={<QuietWire />} title={t('explorer.none')}>
        {t('explorer.noneMore')}
      </EmptyState>
    )
  }
  if (!asked && category === '') return <Invitation onAsk={onAsk} />
  const tools = asked ? search.data : inside.data
  if (tools === undefined) {
    return (
      <Skeleton label={t('explorer.searching')}>
        <CardList>
          {[180, 140, 210].map((width) => (
            <SkeletonRow key={width} name={width} note={260} />
          ))}
        </CardList>
      </Skeleton>
    )
  }
  if (tools.length === 0) {
    return (
      <EmptyState mark={<Icon of={SearchX} size={24} />} title={t('explorer.noMatch', { question: question.trim() })}>
        {t('explorer.noMatchMore')}
      </EmptyState>
    )
  }
  return (
    <section aria-label={t('explorer.results')} aria-busy={search.isPlaceholderData}>
      <CardList>
        {tools.map((tool) => (
          <ToolRow key={tool.fqn} tool={tool} />
        ))}
      </CardList>
    </section>
  )
}

/** Before anything is asked: what the search understands, by examples that one can take. */
function Invitation({ onAsk }: { onAsk: (question: string) => void }) {
  const { t } = useTranslation()
  return (
    <EmptyState
      title={t('explorer.invite')}
      actions={(['one', 'two', 'three'] as const).map((name) => {
        const example = t(`explorer.examples.${name}`)
        return (
          <Button key={name} small onClick={() => onAsk(example)}>
            {example}
          </Button>
        )
      })}
    >
      {t('explorer.inviteMore')}
    </EmptyState>
  )
}
