import type { TFunction } from 'i18next'
import { Fragment, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Rule } from '@/lib/api'
import { wordsOf } from './rules'

/** What a rule is about, as plain text: "github.delete_repository, pour Cursor". */
export function ruleSentence(rule: Rule, t: TFunction): string {
  const { server, names, client } = wordsOf(rule)
  const place = server === '' ? t('policy.sentence.anyServer') : server
  const what = names.length === 0 ? place : names.map((name) => (server === '' ? name : `${server}.${name}`)).join(', ')
  return client === '' ? what : t('policy.sentence.for', { what, client })
}

/** The same, with the machine's names in their own type. */
export function RuleSentence({ rule }: { rule: Pick<Rule, 'server' | 'actions' | 'client'> }): ReactNode {
  const { t } = useTranslation()
  const { server, names, client } = wordsOf(rule)
  const who = client === '' ? t('policy.sentence.everyone') : <b className="font-medium">{client}</b>
  return (
    <>
      {names.length === 0 ? (
        <Place server={server} />
      ) : (
        names.map((name, i) => (
          <Fragment key={name}>
            {i > 0 && ', '}
            <span className="mono">{server === '' ? name : `${server}.${name}`}</span>
          </Fragment>
        ))
      )}
      {names.length > 0 && server === '' && `, ${t('policy.sentence.onAnyServer')}`}
      {', '}
      {t('policy.sentence.to')} {who}
    </>
  )
}

function Place({ server }: { server: string }) {
  const { t } = useTranslation()
  return server === '' ? t('policy.sentence.anyServer') : <b className="font-medium">{server}</b>
}
