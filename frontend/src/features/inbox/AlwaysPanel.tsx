import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCallerName } from '@/features/vocabulary'
import type { InboxRequest } from '@/lib/api'
import { Button, Checkbox, KeyValue, KeyValueList, RadioGroup, RadioRow, TextInput } from '@/ui'

type End = 'change' | 'date'

/** For whom and until when "always" holds. What destroys needs a second yes. */
export function AlwaysPanel({
  request,
  onApprove,
}: {
  request: InboxRequest
  onApprove: (until: string | undefined) => void
}) {
  const { t } = useTranslation()
  const callerName = useCallerName()
  const [end, setEnd] = useState<End>('change')
  const [day, setDay] = useState('')
  const [sure, setSure] = useState(false)
  const [opened] = useState(() => Date.now())
  const destroys = request.effect === 'destroys'
  const until = end === 'date' ? endOfDay(day) : undefined
  const ready = (!destroys || sure) && (end === 'change' || (until !== undefined && Date.parse(until) > opened))
  return (
    <div className="space-y-3">
      <h3 className="text-lead font-semibold">{t('inbox.alwaysPanel.title')}</h3>
      <KeyValueList>
        <KeyValue name={t('inbox.alwaysPanel.for')}>{callerName(request.caller)}</KeyValue>
        <KeyValue name={t('inbox.alwaysPanel.server')}>{request.server}</KeyValue>
        <KeyValue name={t('inbox.alwaysPanel.tool')}>
          <span className="mono break-all">{request.tool}</span>
        </KeyValue>
      </KeyValueList>
      <Until end={end} onEnd={setEnd} day={day} onDay={setDay} />
      <p className="text-caption text-ink-3">{t('inbox.alwaysPanel.more')}</p>
      {destroys && (
        <Checkbox on={sure} onChange={setSure} className="items-start! text-small">
          {t('inbox.alwaysPanel.confirm')}
        </Checkbox>
      )}
      <Button look="primary" className="w-full" inactive={!ready} onClick={() => onApprove(until)}>
        {t('inbox.alwaysPanel.go')}
      </Button>
    </div>
  )
}

interface UntilProps {
  end: End
  onEnd: (end: End) => void
  day: string
  onDay: (day: string) => void
}

function Until({ end, onEnd, day, onDay }: UntilProps) {
  const { t } = useTranslation()
  return (
    <RadioGroup<End> label={t('inbox.alwaysPanel.how')} value={end} onChange={onEnd} className="-mx-3.5">
      <RadioRow
        value="change"
        chosen={end === 'change'}
        title={t('inbox.alwaysPanel.change')}
        className="bg-none! py-1.5!"
      >
        {null}
      </RadioRow>
      <RadioRow
        value="date"
        chosen={end === 'date'}
        title={t('inbox.alwaysPanel.date')}
        className="bg-none! py-1.5!"
        details={
          end === 'date' && (
            <TextInput
              type="date"
              aria-label={t('inbox.alwaysPanel.day')}
              value={day}
              onChange={(event) => onDay(event.target.value)}
              frameClassName="mt-1"
            />
          )
        }
      >
        {null}
      </RadioRow>
    </RadioGroup>
  )
}

/** The last instant of a day written as YYYY-MM-DD, in this computer's time; undefined when it is no day. */
function endOfDay(day: string): string | undefined {
  const end = new Date(`${day}T23:59:59`)
  return Number.isNaN(end.getTime()) ? undefined : end.toISOString()
}
