import { useTranslation } from 'react-i18next'
import { Banner, Button } from '@/ui'
import { useHalt, useResume } from './queries'

/** The safran bar while all calls are stopped: how many were ended, and the way on. */
export function HaltBar() {
  const { t } = useTranslation()
  const halt = useHalt()
  const resume = useResume()
  if (halt === undefined) return null
  return (
    <Banner
      action={
        <Button small inactive={resume.isPending} onClick={() => resume.mutate()}>
          {t('halt.resume')}
        </Button>
      }
    >
      {t('halt.stopped', { count: halt.canceled })}
      {halt.held > 0 && ` ${t('halt.held', { count: halt.held })}`}
    </Banner>
  )
}
