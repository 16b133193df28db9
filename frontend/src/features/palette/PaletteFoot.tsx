import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Kbd } from '@/ui'

/** The keys of the palette. */
export function PaletteFoot() {
  const { t } = useTranslation()
  return (
    <div className="flex flex-none flex-wrap items-center gap-x-4 gap-y-1 border-t border-line bg-sunken px-[18px] py-[9px] text-caption text-ink-3">
      <Hint keys={['↑', '↓']}>{t('palette.keys.choose')}</Hint>
      <Hint keys={['⏎']}>{t('palette.keys.open')}</Hint>
      <Hint keys={['Tab']}>{t('palette.keys.actions')}</Hint>
      <span className="flex-1" />
      <Hint keys={['>']}>{t('palette.keys.only')}</Hint>
      <Hint keys={[t('keys.escape')]}>{t('palette.keys.close')}</Hint>
    </div>
  )
}

function Hint({ keys, children }: { keys: readonly string[]; children: ReactNode }) {
  return (
    <span className="flex items-center gap-1">
      {keys.map((key) => (
        <Kbd key={key}>{key}</Kbd>
      ))}
      {children}
    </span>
  )
}
