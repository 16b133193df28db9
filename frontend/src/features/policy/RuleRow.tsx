import { EllipsisVertical, Lock, Trash2 } from 'lucide-react'
import clsx from 'clsx'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfigFileBadge, useFailureWords } from '@/features/vocabulary'
import type { Rule, Verdict } from '@/lib/api'
import { formatWhen } from '@/lib/format'
import { useLang } from '@/lib/i18n'
import { Icon, IconButton, Menu, Socket, useToast, type SocketShape, type Tone } from '@/ui'
import { useAddRule, useDeleteRule } from './queries'
import { RuleSentence, ruleSentence } from './ruleSentence'

export const verdictLooks: Record<Verdict, { shape: SocketShape; tone: Tone }> = {
  allow: { shape: 'done', tone: 'ok' },
  ask: { shape: 'hold', tone: 'attn' },
  deny: { shape: 'denied', tone: 'danger' },
}

export interface RowProps {
  verdict: Verdict
  children: ReactNode
  note: ReactNode
  /** The one action, or why there is none. */
  after: ReactNode
  /** Named by the address: drawn as chosen. */
  marked?: boolean
}

/** Verdict as socket and word, what and for whom, since when, one action. */
export function Row({ verdict, children, note, after, marked = false }: RowProps) {
  const { t } = useTranslation()
  return (
    <li className={clsx('flex min-h-[43px] items-center gap-3 py-1 pr-3 pl-3.5', marked && 'bg-selected')}>
      <span className="flex w-24 flex-none items-center gap-[7px] text-[13px] font-medium">
        <Socket {...verdictLooks[verdict]} />
        {t(`verdicts.${verdict}`)}
      </span>
      <div className="min-w-0 flex-1">
        <div className="text-[13px] leading-[18px] break-words">{children}</div>
        <div className="text-caption break-words text-ink-3">{note}</div>
      </div>
      {after}
    </li>
  )
}

/** A rule of the person's own list can be taken away; one of config.toml is edited there. */
export function RuleRow({ rule, marked }: { rule: Rule; marked: boolean }) {
  const { t } = useTranslation()
  const lang = useLang()
  const inFile = rule.source === 'config.toml'
  const note =
    inFile || rule.created_at === undefined
      ? t('policy.rule.inFile', { line: rule.line })
      : t('policy.rule.set', { when: formatWhen(rule.created_at, lang) })
  return (
    <Row
      verdict={rule.verdict}
      note={note}
      marked={marked}
      after={inFile ? <ConfigFileBadge line={rule.line} /> : <RuleMenu rule={rule} />}
    >
      <RuleSentence rule={rule} />
    </Row>
  )
}

function RuleMenu({ rule }: { rule: Rule }) {
  const { t } = useTranslation()
  const toast = useToast()
  const words = useFailureWords()
  const remove = useDeleteRule()
  const add = useAddRule()
  const name = ruleSentence(rule, t)
  const undo = () => {
    const { verdict, server = '', actions, client } = rule
    add.mutate({ verdict, server, ...(actions ? { actions } : {}), ...(client ? { client } : {}) })
  }
  const drop = () =>
    remove.mutate(rule.id, {
      onError: (error) => toast({ tone: 'danger', text: words(error).what }),
      onSuccess: () =>
        toast({ text: t('policy.rule.removed', { name }), action: { label: t('common.undo'), run: undo } }),
    })
  return (
    <Menu
      trigger={<IconButton icon={EllipsisVertical} label={t('policy.rule.menu', { name })} className="-mr-1.5" />}
      items={[{ label: t('policy.rule.remove'), icon: Trash2, danger: true, onSelect: drop }]}
    />
  )
}

/** What holds when no rule speaks. It cannot be taken away. */
export function DefaultRow() {
  const { t } = useTranslation()
  return (
    <Row verdict="ask" note={t('policy.defaults.note')} after={<Icon of={Lock} size={15} className="text-ink-3" />}>
      {t('policy.defaults.name')}
    </Row>
  )
}
