import { MessageSquareQuote } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Icon } from '@/ui'

/** What a server says, in quotes and as plain text. */
export function ServerWords({ text }: { text: string }) {
  const { t } = useTranslation()
  if (text === '') return null
  return (
    <blockquote className="flex gap-3 rounded-lg border border-line bg-sunken px-3 py-2.5">
      <Icon of={MessageSquareQuote} size={16} className="mt-0.5 text-ink-3" />
      <p className="min-w-0 break-words whitespace-pre-wrap">{t('inbox.question.quoted', { text })}</p>
    </blockquote>
  )
}
