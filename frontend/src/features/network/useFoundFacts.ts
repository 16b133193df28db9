import { useTranslation } from 'react-i18next'
import type { NetworkServer } from '@/lib/api'
import { formatWhen } from '@/lib/format'
import { useLang } from '@/lib/i18n'

/** What a found server says of itself, in one line and in full. */
export function useFoundFacts(found: NetworkServer): { short: string; full: string } {
  const { t } = useTranslation()
  const lang = useLang()
  const fault = found.faults?.[0]
  const transport = found.transport === 'sse' ? 'SSE' : 'HTTP'
  const auth = t(`network.auth.${found.auth ?? 'unknown'}`)
  const facts = t('network.facts', { transport, port: found.port, auth })
  const where = [found.host, ...found.addresses.map(({ addr }) => addr)].join(', ')
  const since = t('network.since', { when: formatWhen(found.since, lang) })
  const said = fault === undefined ? facts : t(`errors.invalid_input.reasons.${fault}`)
  return { short: fault === undefined ? `${facts} · ${found.host}` : said, full: [where, said, since].join(' · ') }
}
