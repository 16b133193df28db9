import { Copy } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useCopy } from '@/features/vocabulary'
import { IconButton } from '@/ui'

/** What the person has to register at the sign-in server, byte for byte. */
export function RedirectAddress({ address }: { address: string }) {
  const { t } = useTranslation()
  const copy = useCopy()
  return (
    <div className="mt-2 flex min-h-[34px] items-center gap-2.5 rounded-control border border-line-subtle bg-sunken pr-1 pl-2.5 text-small">
      <span className="flex-none text-caption text-ink-3">{t('signIn.redirect')}</span>
      <code className="min-w-0 flex-1 break-all">{address}</code>
      <IconButton icon={Copy} size={14} label={t('signIn.copyRedirect')} onClick={() => copy(address)} />
    </div>
  )
}
