import type { TFunction } from 'i18next'
import { Fragment, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Rule } from '@/lib/api'
import { isPerTool, wordsOf, type RuleWords } from './rules'

/** What a rule is about, as plain text: "github.delete_repository, pour Cursor". */
export function ruleSentence(rule: Rule, t: TFunction): string {
  const { server, names, client } = wordsOf(rule)
  const what = names.length === 0 ? server || t('policy.sentence.anyServer') : namesIn(server, names)
  return client === '' ? what : t('policy.sentence.for', { what, client })
}

/** One name after its server's; several once behind it, so that the line stays short. */
function namesIn(server: string, names: readonly string[]): string {
  const list = names.join(', ')
  if (server === '') return list
  return names.length === 1 ? `${server}.${list}` : `${server}: ${list}`
}

/** The same, with the machine's names in their own type. */
export function RuleSentence({ rule }: { rule: Pick<Rule, 'server' | 'actions' | 'client'> }): ReactNode {
  const { t } = useTranslation()
  const words = wordsOf(rule)
  const isPlain = isPerTool(rule) && words.client === ''
  return (
    <>
      <What words={words} />
      {!isPlain && (
        <>
          {`, ${t('policy.sentence.to')} `}
          {words.client === '' ? t('policy.sentence.everyone') : <b className="font-medium">{words.client}</b>}
        </>
      )}
    </>
  )
}

function What({ words: { server, names } }: { words: RuleWords }): ReactNode {
  const { t } = useTranslation()
  const [only, ...others] = names
  if (only === undefined)
    return server === '' ? t('policy.sentence.anyServer') : <b className="font-medium">{server}</b>
  if (server !== '' && others.length === 0) return <span className="mono">{`${server}.${only}`}</span>
  return (
    <>
      {server !== '' && (
        <>
          <b className="font-medium">{server}</b>{' '}
        </>
      )}
      {names.map((name, i) => (
        <Fragment key={name}>
          {i > 0 && ', '}
          <span className="mono">{name}</span>
        </Fragment>
      ))}
      {server === '' && `, ${t('policy.sentence.onAnyServer')}`}
    </>
  )
}
