import { Play } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useFailureWords } from '@/features/vocabulary'
import { formatAgo, formatDuration } from '@/lib/format'
import { useLang } from '@/lib/i18n'
import { useNow } from '@/lib/useNow'
import { Button, StateWord, type SocketShape, type Tone } from '@/ui'
import type { useCheckModel } from './queries'
import { useSetting } from './useSetting'

type Check = ReturnType<typeof useCheckModel>

interface Look {
  shape: SocketShape
  tone: Tone
  word: string
  more?: string
}

/** Whether the model answers, as it was last tried with these settings, and the button that tries it. */
export function ModelState({ check }: { check: Check }) {
  const { t } = useTranslation()
  const address = useSetting('model.base_url').value
  const { shape, tone, word, more } = useLook(check, address)
  return (
    <div className="flex items-start gap-3 px-3.5 py-[9px]">
      <div role="status" className="min-w-0 flex-1">
        <StateWord shape={shape} tone={tone} className="whitespace-normal!">
          {word}
        </StateWord>
        {more !== undefined && <div className="text-small break-words text-ink-3">{more}</div>}
      </div>
      <Button small icon={Play} inactive={address === '' || check.isPending} onClick={() => check.mutate()}>
        {t('settings.model.try')}
      </Button>
    </div>
  )
}

function useLook(check: Check, address: string): Look {
  const { t } = useTranslation()
  const words = useFailureWords()
  const lang = useLang()
  const now = useNow(10_000)
  const name = useSetting('model.name').value
  const { data: found, error } = check
  const failed = (reason: unknown): Look => ({
    shape: 'stopped',
    tone: 'danger',
    word: t('settings.model.fails'),
    more: `${words(reason).what} ${words(reason).fix}`,
  })
  if (address === '')
    return { shape: 'off', tone: 'neutral', word: t('settings.model.none'), more: t('settings.model.noneMore') }
  if (check.isPending) return { shape: 'running', tone: 'accent', word: t('settings.model.trying') }
  if (error) return failed(error)
  // What was found of other settings says nothing of these.
  if (!found || found.address !== address.replace(/\/+$/, '') || (found.model ?? '') !== name)
    return { shape: 'off', tone: 'neutral', word: t('settings.model.notTried') }
  if (found.error) return failed(found.error)
  const facts = {
    model: name,
    time: formatDuration(found.ms, lang),
    when: formatAgo(new Date(check.submittedAt), lang, now),
  }
  return { shape: 'ready', tone: 'ok', word: t('settings.model.answers'), more: t('settings.model.answersMore', facts) }
}
