import { Copy, ExternalLink, ScanSearch } from 'lucide-react'
import { Trans, useTranslation } from 'react-i18next'
import { useServerName } from '@/features/connexions'
import { FailureNote, useCopy } from '@/features/vocabulary'
import type { InboxRequest } from '@/lib/api'
import { formatWhen } from '@/lib/format'
import { useLang } from '@/lib/i18n'
import { Button, IconButton, Note } from '@/ui'
import { lettersOf } from './letters'
import { ServerWords } from './ServerWords'
import { asked } from './useReply'

type Address = NonNullable<InboxRequest['address']>

/** Where the page really leads, what to look at closely, the address in full, and what opening it means. */
export function PageContent({ request, reopen }: { request: InboxRequest; reopen: () => void }) {
  const { t } = useTranslation()
  const server = useServerName()(request.server)
  const { address } = request
  if (!address) return null
  return (
    <>
      {request.failure && <FailureNote error={request.failure} tone="attn" className="mb-3" />}
      <ServerWords text={asked(request).message} />
      <Site address={address} />
      {address.signs.length > 0 && <Signs address={address} server={server} />}
      {address.url !== '' && <WholeAddress address={address} />}
      {request.status === 'waiting' && (
        <p className="mt-3 text-small text-ink-2">
          {t(address.opened ? 'inbox.page.thenAgain' : 'inbox.page.then', { server })}
        </p>
      )}
      {request.status === 'approved' && <Ended request={request} server={server} />}
      {address.url !== '' && isOpen(request) && (
        <Button small icon={ExternalLink} className="mt-3" onClick={reopen}>
          {t('inbox.page.reopen')}
        </Button>
      )}
    </>
  )
}

function Site({ address }: { address: Address }) {
  const { t } = useTranslation()
  const doubtful = address.signs.length > 0
  return (
    <div className={`mt-3 rounded-lg border px-3.5 py-3 ${doubtful ? 'border-attn-line' : 'border-line'}`}>
      <p className="text-small text-ink-2">{t(address.opened ? 'inbox.page.siteOpened' : 'inbox.page.site')}</p>
      <p className="mono mt-0.5 text-[20px] leading-[28px] font-medium break-all">{address.host}</p>
      {address.shown !== undefined && (
        <p className="mt-0.5 text-small text-ink-2">
          {t('inbox.page.shownAs')} <Letters text={address.shown} />
        </p>
      )}
    </div>
  )
}

/** A host with the code of each letter that is none of ASCII, so that look-alikes are told apart. */
function Letters({ text }: { text: string }) {
  return (
    <bdi className="mono break-all text-ink">
      {lettersOf(text).map(({ text: part, code }, i) =>
        code === undefined ? (
          <span key={i}>{part}</span>
        ) : (
          <mark key={i} className="mx-0.5 rounded-[3px] bg-attn px-1 py-px text-caption font-medium text-on-attn">
            {part} {code}
          </mark>
        ),
      )}
    </bdi>
  )
}

function Signs({ address, server }: { address: Address; server: string }) {
  const { t } = useTranslation()
  return (
    <Note tone="attn" icon={ScanSearch} className="mt-3">
      <b className="font-semibold">{t('inbox.page.signs', { count: address.signs.length })}</b>
      <ul className="mt-1 list-disc space-y-0.5 pl-4 marker:text-attn-mark">
        {address.signs.map(({ sign, args = {} }, i) => (
          <li key={i} className="break-words">
            <Trans
              i18nKey={`inbox.page.sign.${sign}`}
              values={{ ...args, server, alphabet: t(`inbox.page.script.${scriptOf(args.script)}`) }}
              components={{ code: <code className="mono text-[.94em] break-all" /> }}
            />
          </li>
        ))}
      </ul>
    </Note>
  )
}

const scripts = ['cyrillic', 'greek', 'armenian', 'latin'] as const
const scriptOf = (name: string | undefined) => scripts.find((known) => known === name) ?? 'other'

function WholeAddress({ address }: { address: Address }) {
  const { t } = useTranslation()
  const copy = useCopy()
  return (
    <section className="mt-4">
      <div className="flex items-center gap-2.5">
        <h3 className="font-semibold">{t('inbox.page.whole')}</h3>
        {address.user !== undefined && <span className="text-small text-ink-2">{t('inbox.page.userOut')}</span>}
        <span className="flex-1" />
        <IconButton icon={Copy} label={t('inbox.page.copy')} onClick={() => copy(address.url)} />
      </div>
      <p className="mono mt-1 rounded-lg border border-line bg-sunken px-3 py-2 text-small break-all text-ink-2">
        {address.before}
        {address.user !== undefined && <del className="text-danger-text">{address.user}</del>}
        <b className="rounded-[3px] bg-attn-soft px-px font-semibold text-ink">{address.host}</b>
        {address.after}
      </p>
    </section>
  )
}

/** Whether a page was opened and the server does not say that it is done with. */
const isOpen = ({ status, address, completed_at: done }: InboxRequest) =>
  done === undefined && (status === 'approved' || (status === 'waiting' && address?.opened === true))

/** What the server says of a page that was opened. */
function Ended({ request, server }: { request: InboxRequest; server: string }) {
  const { t } = useTranslation()
  const lang = useLang()
  const { completed_at: done } = request
  return (
    <p className="mt-3 text-small text-ink-2">
      {done === undefined
        ? t('inbox.page.awaiting', { server })
        : t('inbox.page.done', { server, when: formatWhen(done, lang) })}
    </p>
  )
}
