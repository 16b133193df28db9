import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isBlank, OAuthFields, type OAuthDraft } from '@/features/signin'
import { Button } from '@/ui'

export interface TokenVariableProps {
  draft: OAuthDraft
  onChange: (draft: OAuthDraft) => void
  wrong: string | undefined
  /** A person was led here. */
  wanted: boolean
}

/** A local program that takes its token from a variable: who signs in where, and which variable it is. */
export function TokenVariable({ draft, onChange, wrong, wanted }: TokenVariableProps) {
  const { t } = useTranslation()
  const [open, setOpen] = useState(wanted || !isBlank(draft))
  return (
    <section aria-label={t('wizard.tokenAuth.title')} className="mt-3 border-t border-line-subtle pt-2.5">
      <div className="flex items-center gap-2 text-small">
        <span className="font-medium">{t('wizard.tokenAuth.title')}</span>
        <span className={`min-w-0 flex-1 truncate ${wrong === undefined ? 'text-ink-3' : 'text-danger-text'}`}>
          {wrong ?? t('wizard.tokenAuth.help')}
        </span>
        <Button small look="ghost" aria-expanded={open} onClick={() => setOpen(!open)}>
          {t(open ? 'wizard.tokenAuth.hide' : 'wizard.tokenAuth.show')}
        </Button>
      </div>
      {open && <OAuthFields local draft={draft} onChange={(change) => onChange({ ...draft, ...change })} />}
    </section>
  )
}
