import { OctagonX, Plus } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useHalt, useStopAll } from '@/features/halt'
import { FailureNote, useFailureWords } from '@/features/vocabulary'
import type { Failure, Rule } from '@/lib/api'
import { Button, CardList, Drawer, Note, PageHead, SectionTitle, Skeleton, SkeletonRow } from '@/ui'
import { LostRules } from './LostRules'
import { NewRuleDialog } from './NewRuleDialog'
import { useApprovals, useRules, type Why } from './queries'
import { DefaultRow, Row, RuleRow } from './RuleRow'
import { isPerTool } from './rules'
import { ApprovalWords, RevokeButton, StandingApprovals } from './StandingApprovals'
import { WhyPanel } from './WhyPanel'

/** The rules, what is set tool by tool, the standing approvals, and why a call is answered as it is. */
export function PolicyPage({ asked, onAsk }: { asked: Why; onAsk: (why: Why) => void }) {
  const { t } = useTranslation()
  const rules = useRules()
  const [adding, setAdding] = useState(false)
  const [why, setWhy] = useState(false)
  return (
    <div className="flex min-h-0 flex-1">
      <div data-pane className="flex min-h-0 min-w-0 flex-1 flex-col">
        <PageHead
          tight
          title={t('policy.title')}
          facts={t('policy.facts')}
          actions={
            <>
              <Button look="ghost" className="md:hidden" onClick={() => setWhy(true)}>
                {t('policy.why.title')}
              </Button>
              <StopButton />
              <Button icon={Plus} onClick={() => setAdding(true)}>
                {t('policy.new.open')}
              </Button>
            </>
          }
        />
        <div className="min-h-0 flex-1 overflow-y-auto px-[var(--px)] pb-6">
          {rules.data?.problem && <FileProblem problem={rules.data.problem} />}
          {rules.data?.lost && <LostRules lost={rules.data.lost} />}
          {rules.isError && <FailureNote error={rules.error} onRetry={() => rules.refetch()} />}
          {rules.isPending && <Loading />}
          {rules.data && <Lists rules={rules.data.rules} />}
        </div>
      </div>
      <aside
        data-pane
        aria-label={t('policy.why.title')}
        className="flex w-[344px] flex-none flex-col overflow-y-auto border-l border-line bg-surface [--wire-ground:var(--bg-surface)] max-md:hidden"
      >
        <WhyPanel asked={asked} onAsk={onAsk} />
      </aside>
      <Drawer open={why} onClose={() => setWhy(false)} title={t('policy.why.title')} closeLabel={t('common.close')}>
        <WhyPanel asked={asked} onAsk={onAsk} bare />
      </Drawer>
      <NewRuleDialog open={adding} onClose={() => setAdding(false)} />
    </div>
  )
}

/** The emergency stop; while it holds, the bar above has the way on. */
function StopButton() {
  const { t } = useTranslation()
  const stop = useStopAll()
  if (useHalt()) return null
  return (
    <Button look="danger" icon={OctagonX} onClick={stop}>
      {t('halt.stop')}
    </Button>
  )
}

function Lists({ rules }: { rules: readonly Rule[] }) {
  const { t } = useTranslation()
  const perTool = rules.filter(isPerTool)
  const others = rules.filter((rule) => !isPerTool(rule))
  return (
    <>
      <List title={t('policy.lists.rules')} count={others.length + 1}>
        {others.map((rule) => (
          <RuleRow key={`${rule.source} ${rule.id}`} rule={rule} marked={false} />
        ))}
        <DefaultRow />
      </List>
      {perTool.length > 0 && (
        <List title={t('policy.lists.tools')} count={perTool.length}>
          {perTool.map((rule) => (
            <RuleRow key={`${rule.source} ${rule.id}`} rule={rule} marked={false} />
          ))}
        </List>
      )}
      <Approvals />
    </>
  )
}

function List({ title, count, children }: { title: string; count: number; children: ReactNode }) {
  return (
    <section className="mt-4 first:mt-0">
      <SectionTitle note={count}>{title}</SectionTitle>
      <CardList>
        <ul className="divide-y divide-line-subtle">{children}</ul>
      </CardList>
    </section>
  )
}

const SHOWN = 5

function Approvals() {
  const { t } = useTranslation()
  const approvals = useApprovals()
  const [all, setAll] = useState(false)
  const list = approvals.data ?? []
  if (list.length === 0) return null
  return (
    <>
      <List title={t('policy.lists.approvals')} count={list.length}>
        {list.slice(0, SHOWN).map((approval) => (
          <Row
            key={approval.id}
            verdict="allow"
            note={<ApprovalWords approval={approval} part="note" />}
            after={<RevokeButton approval={approval} />}
          >
            <ApprovalWords approval={approval} part="what" />
          </Row>
        ))}
      </List>
      {list.length > SHOWN && (
        <Button look="link" className="mt-2 ml-0.5 text-small" onClick={() => setAll(true)}>
          {t('policy.lists.all', { count: list.length })}
        </Button>
      )}
      <StandingApprovals open={all} onClose={() => setAll(false)} />
    </>
  )
}

/** What is wrong with config.toml, and that the rules of its last good version hold. */
function FileProblem({ problem }: { problem: Failure }) {
  const { t } = useTranslation()
  const { what, fix } = useFailureWords()(problem)
  return (
    <Note tone="danger" role="alert" className="mb-4">
      <b className="font-semibold">{what}</b> {fix} {t('policy.kept')}
    </Note>
  )
}

function Loading() {
  const { t } = useTranslation()
  return (
    <Skeleton label={t('policy.title')}>
      <CardList>
        {[150, 120, 170].map((width) => (
          <SkeletonRow key={width} name={width} note={width - 30} />
        ))}
      </CardList>
    </Skeleton>
  )
}
