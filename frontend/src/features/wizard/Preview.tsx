import { Copy } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Check } from '@/lib/api'
import { Code, IconButton, useToast } from '@/ui'
import { definitionOf, isLocal, type Draft } from './draft'
import { hasReference } from './secrets'
import { Mask } from './Sent'

/** The exact command or request, secrets left out; copied as it is shown. */
export function Preview({ draft, check }: { draft: Draft; check: Check | undefined }) {
  const { t } = useTranslation()
  const toast = useToast()
  if (!check || check.preview === '') return null
  const copy = (
    <IconButton
      icon={Copy}
      size={14}
      label={t('common.copy')}
      onClick={() =>
        void navigator.clipboard.writeText(check.preview).then(() => toast({ tone: 'ok', text: t('common.copied') }))
      }
    />
  )
  if (isLocal(draft)) {
    return (
      <div className="mt-2.5 flex min-h-[34px] items-center gap-3 rounded-lg border border-line-subtle bg-sunken pr-1 pl-2.5 text-small">
        <span className="flex-none text-caption text-ink-3">{t('wizard.launched')}</span>
        <span className="mono min-w-0 flex-1 truncate" title={check.preview}>
          {check.preview}
        </span>
        {copy}
      </div>
    )
  }
  return (
    <section aria-label={t('wizard.sent')}>
      <div className="mt-3 mb-1.5 flex items-center">
        <h2 className="flex-1 font-semibold">{t('wizard.sent')}</h2>
        {copy}
      </div>
      <Code label={t('wizard.sent')}>
        <RequestText draft={draft} />
      </Code>
    </section>
  )
}

function RequestText({ draft }: { draft: Draft }) {
  const { url = '', headers = [] } = definitionOf(draft)
  const address = URL.canParse(url) ? new URL(url) : undefined
  return (
    <>
      <span className="text-ink-3">{draft.transport === 'sse' ? 'GET' : 'POST'}</span>{' '}
      {address ? address.pathname + address.search : url} HTTP/1.1
      {address && (
        <>
          {'\n'}
          <span className="text-code-key">Host</span>: {address.host}
        </>
      )}
      {headers.map(({ name, value, secret }) => {
        const [, scheme = '', rest = value] = /^(Bearer )?(.*)$/s.exec(value) ?? []
        return (
          <span key={name}>
            {'\n'}
            <span className="text-code-key">{name}</span>: {scheme}
            {secret && !hasReference(rest) ? <Mask secret={rest} /> : rest}
          </span>
        )
      })}
    </>
  )
}
