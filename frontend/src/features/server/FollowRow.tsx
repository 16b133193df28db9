import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useFailureWords } from '@/features/vocabulary'
import { followResource, listSubscriptions } from '@/lib/api'
import { formatTime } from '@/lib/format'
import { useLang } from '@/lib/i18n'
import { Switch, useToast } from '@/ui'

/** Whether a resource is followed, and when the server last said that it changed. */
export function FollowRow({ server, uri }: { server: string; uri: string }) {
  const { t } = useTranslation()
  const lang = useLang()
  const toast = useToast()
  const words = useFailureWords()
  const client = useQueryClient()
  const queryKey = ['subscriptions', server]
  const followed = useQuery({ queryKey, queryFn: ({ signal }) => listSubscriptions(server, signal) })
  const mine = followed.data?.find((one) => one.uri === uri)
  const follow = useMutation({
    mutationFn: (on: boolean) => followResource(server, uri, on),
    onSuccess: (list) => client.setQueryData(queryKey, list),
    onError: (error) => toast({ tone: 'danger', text: `${words(error).what} ${words(error).fix}` }),
  })
  return (
    <div className="mb-3 flex items-center gap-3 rounded-lg border border-line px-3 py-2">
      <div className="min-w-0 flex-1">
        <p className="text-small font-medium">{t('server.resources.follow')}</p>
        <p role="status" className="text-caption text-ink-3">
          {mine?.changed_at
            ? t('server.resources.changed', { time: formatTime(new Date(mine.changed_at), lang) })
            : t('server.resources.followMore')}
        </p>
      </div>
      <Switch
        on={mine !== undefined}
        inactive={!followed.data || follow.isPending}
        label={t('server.resources.follow')}
        onChange={(on) => follow.mutate(on)}
      />
    </div>
  )
}
