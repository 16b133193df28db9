import { RotateCw } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { FailureNote, useFailureWords } from '@/features/vocabulary'
import type { Finding } from '@/lib/api'
import { Button, Socket, type SocketShape, type Tone } from '@/ui'
import { useDoctor } from './queries'

const looks: Record<Finding['level'], { shape: SocketShape; tone: Tone }> = {
  ok: { shape: 'done', tone: 'ok' },
  note: { shape: 'degraded', tone: 'attn' },
  problem: { shape: 'stopped', tone: 'danger' },
}

/** What the machine has and what is missing, each with what to do. */
export function Doctor() {
  const { t } = useTranslation()
  const doctor = useDoctor()
  return (
    <>
      {doctor.isError && <FailureNote error={doctor.error} onRetry={() => doctor.refetch()} className="m-3.5" />}
      {doctor.data?.map((finding, i) => (
        <Row key={`${finding.check} ${i}`} finding={finding} />
      ))}
      <div className="flex items-center gap-3 px-3.5 py-[9px]">
        <span role="status" className="flex-1 text-small text-ink-3">
          {doctor.isFetching ? t('settings.doctor.running') : t('settings.doctor.more')}
        </span>
        <Button small icon={RotateCw} inactive={doctor.isFetching} onClick={() => void doctor.refetch()}>
          {t('settings.doctor.again')}
        </Button>
      </div>
    </>
  )
}

function Row({ finding }: { finding: Finding }) {
  const { t } = useTranslation()
  const words = useFailureWords()
  const { check, level, detail, error } = finding
  const said = error && words(error)
  return (
    <div className="flex gap-2.5 px-3.5 py-[7px]">
      <span className="pt-0.5">
        <Socket {...looks[level]} />
        <span className="sr-only">{t(`settings.doctor.levels.${level}`)}</span>
      </span>
      <div className="min-w-0 flex-1">
        <div className="text-[13px]">
          {t([`settings.doctor.checks.${check}`, 'settings.doctor.checks.other'], { check })}
        </div>
        {detail && <div className="mono text-small break-all text-ink-3">{detail}</div>}
        {said && <div className="text-small text-ink-2">{`${said.what} ${said.fix}`}</div>}
      </div>
    </div>
  )
}
