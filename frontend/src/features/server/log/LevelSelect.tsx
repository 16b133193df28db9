import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFailureWords } from '@/features/vocabulary'
import { setLogLevel, type LogLevel } from '@/lib/api'
import { Select, useToast } from '@/ui'

type Level = LogLevel['level']

const levels: readonly Level[] = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency']

/** From which level on the server sends log messages; until one is chosen that is the server's affair. */
export function LevelSelect({ server }: { server: string }) {
  const { t } = useTranslation()
  const toast = useToast()
  const words = useFailureWords()
  const [level, setLevel] = useState<Level | 'own'>('own')
  const set = useMutation({
    mutationFn: (wanted: Level) => setLogLevel(server, wanted),
    onError: (error) => {
      setLevel('own')
      toast({ tone: 'danger', text: `${words(error).what} ${words(error).fix}` })
    },
  })
  const choose = (wanted: Level | 'own') => {
    setLevel(wanted)
    if (wanted !== 'own') set.mutate(wanted)
  }
  const all = level === 'own' ? (['own', ...levels] as const) : levels
  return (
    <Select
      look="chip"
      label={t('server.log.level')}
      value={level}
      onChange={choose}
      options={all.map((value) => ({ value, label: t(`server.log.levels.${value}`) }))}
    />
  )
}
