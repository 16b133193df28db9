import { Link } from '@tanstack/react-router'
import { Trans, useTranslation } from 'react-i18next'
import { ruleSentence } from '@/features/policy'
import type { InboxRequest, Rule } from '@/lib/api'
import { formatWhen } from '@/lib/format'
import { useLang } from '@/lib/i18n'
import type { Earlier } from './earlier'

const bold = <b className="font-medium text-ink" />
const code = <code className="text-[.925em]" />

/** Which rule asks, and what was answered before. */
export function Why({ request, server, earlier }: { request: InboxRequest; server: string; earlier: Earlier }) {
  const { t } = useTranslation()
  const { yes, no } = earlier
  return (
    <section>
      <h3 className="mt-4 mb-1 font-semibold">{t('inbox.why.title')}</h3>
      <p className="text-small text-ink-2">
        <Reason request={request} server={server} />{' '}
        <Link
          className="underline decoration-accent-line underline-offset-2"
          to="/policy"
          search={{
            server: request.server,
            name: request.tool,
            kind: request.call_kind ?? 'tool',
            caller: request.caller.name,
          }}
        >
          {t(request.decision.because === 'rule' ? 'inbox.why.see' : 'inbox.why.seeAll')}
        </Link>
      </p>
      <p className="mt-0.5 text-small text-ink-2">
        {yes + no === 0 ? (
          t('inbox.why.first')
        ) : (
          <Trans i18nKey="inbox.why.earlier" values={{ name: request.tool, yes, no }} components={{ name: code }} />
        )}
      </p>
    </section>
  )
}

function Reason({ request, server }: { request: InboxRequest; server: string }) {
  const { t } = useTranslation()
  const { because, rule } = request.decision
  if (because === 'server_default') {
    return <Trans i18nKey="inbox.why.server_default" values={{ server }} components={{ b: bold }} />
  }
  if (because !== 'rule') return t([`inbox.why.${because}`, 'inbox.why.other'])
  return rule ? <RuleReason rule={rule} /> : t('inbox.why.ruleGone')
}

function RuleReason({ rule }: { rule: Rule }) {
  const { t } = useTranslation()
  const lang = useLang()
  const when =
    rule.line || rule.created_at === undefined
      ? t('inbox.why.inFile', { line: rule.line })
      : t('inbox.why.set', { when: formatWhen(rule.created_at, lang) })
  return <Trans i18nKey="inbox.why.rule" values={{ rule: ruleSentence(rule, t), when }} components={{ b: bold }} />
}
