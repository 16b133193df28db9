import { useTranslation } from 'react-i18next'
import { Bone, Skeleton } from '@/ui'

/** The rows of a day that is being read. */
export function LoadingCalls() {
  const { t } = useTranslation()
  return (
    <Skeleton label={t('activity.title')}>
      <div className="px-[var(--px)] pt-7">
        {[210, 168, 244, 190, 156, 226].map((width) => (
          <div key={width} className="flex h-[33px] items-center gap-2.5">
            <Bone width={52} />
            <Bone width={16} height={16} round={8} />
            <Bone width={width} height={11} />
          </div>
        ))}
      </div>
    </Skeleton>
  )
}
