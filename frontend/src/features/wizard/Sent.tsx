import { useTranslation } from 'react-i18next'
import { masked } from '@/ui'
import { hasReference } from './secrets'

/** A secret in the text of a preview: six dots and, where it is long enough, its last four. */
export function Mask({ secret }: { secret: string }) {
  const tail = masked(secret).replace(/^•+/, '')
  return (
    <i className="rounded-[3px] bg-surface px-1 text-ink-2 not-italic shadow-[0_0_0_1px_var(--line)]">
      {`•••••• ${tail}`.trim()}
    </i>
  )
}

/** What a header will look like on the wire. */
export function Sent({ name, value }: { name: string; value: string }) {
  const { t } = useTranslation()
  const [, scheme = '', secret = value] = /^(Bearer )?(.*)$/s.exec(value) ?? []
  return (
    <div className="mt-2.5 flex min-h-[34px] items-center gap-3 overflow-hidden rounded-control border border-line-subtle bg-sunken px-2.5 text-small whitespace-nowrap">
      <span className="text-caption text-ink-3">{t('wizard.sent')}</span>
      <span className="mono min-w-0 truncate">
        <span className="text-code-key">{name}</span>: {scheme}
        {hasReference(secret) ? secret : secret !== '' && <Mask secret={secret} />}
      </span>
      <span className="ml-auto text-caption text-ink-3 max-md:hidden">{t('wizard.auth.sentWhere')}</span>
    </div>
  )
}
