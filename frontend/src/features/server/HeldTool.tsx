import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { FileDiff } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { FailureNote } from '@/features/vocabulary'
import { reviewTool, type ToolView } from '@/lib/api'
import { Button, Note } from '@/ui'

/** Why a tool cannot be called, and the way to what changed in it; also where a person has kept it blocked. */
export function HeldTool({ tool }: { tool: ToolView }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const open = (id: string) => void navigate({ to: '/inbox/$id', params: { id } })
  const review = useMutation({
    mutationFn: () => reviewTool(tool.server, tool.name),
    onSuccess: ({ id }) => open(id),
  })
  return (
    <>
      <Note tone="attn" icon={FileDiff} role="note" className="mt-2">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
          <span className="min-w-40 flex-1">
            <b className="font-semibold">{t('server.tools.changed')}.</b> {t('server.tools.held')}
          </span>
          <Button
            small
            inactive={review.isPending}
            onClick={() => (tool.held_by ? open(tool.held_by) : review.mutate())}
          >
            {t('server.tools.review')}
          </Button>
        </div>
      </Note>
      {review.isError && <FailureNote error={review.error} className="mt-2" />}
    </>
  )
}
