import { ChevronDown } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useAllTools, useServers } from '@/features/connexions'
import { FailureNote, useFailureWords } from '@/features/vocabulary'
import type { Decision, Verdict } from '@/lib/api'
import { Button, Code, Combobox, Field, Icon, Select, Socket, useToast } from '@/ui'
import { DecisionWire } from './DecisionWire'
import { isDoor, usePersonName } from './people'
import { useAddRule, useExplain, type Why } from './queries'
import { verdictLooks } from './RuleRow'
import { actionOf, quote } from './rules'
import { useCallers } from './useCallers'

/** Who, which tool, the verdict, and every question that was asked on the way to it. bare: without a title. */
export function WhyPanel({ asked, onAsk, bare = false }: { asked: Why; onAsk: (why: Why) => void; bare?: boolean }) {
  const { t } = useTranslation()
  const decision = useExplain(asked)
  const personName = usePersonName()
  const callers = [...new Set([...useCallers(), asked.caller])]
  return (
    <div className={bare ? '' : 'px-[18px] pt-[18px] pb-3.5'}>
      {!bare && (
        <header className="mb-3.5">
          <h2 className="text-lead font-semibold">{t('policy.why.title')}</h2>
          <p className="text-small text-ink-3">{t('policy.why.facts')}</p>
        </header>
      )}
      <Field label={t('policy.why.who')} className="mb-2.5">
        {(control) => (
          <Select
            {...control}
            value={asked.caller}
            onChange={(caller) => onAsk({ ...asked, caller })}
            options={callers.map((name) => ({ value: name, label: personName(name) }))}
          />
        )}
      </Field>
      <ToolChoice asked={asked} onAsk={onAsk} />
      {decision.isError && <FailureNote error={decision.error} className="mt-3.5" />}
      {decision.data && <Answer decision={decision.data} asked={asked} />}
    </div>
  )
}

/** The tool as "server.tool"; the first dot parts them, since no server id has one. */
function ToolChoice({ asked, onAsk }: { asked: Why; onAsk: (why: Why) => void }) {
  const { t } = useTranslation()
  const tools = useAllTools().data ?? []
  const text = asked.server === '' ? asked.name : `${asked.server}.${asked.name}`
  const change = (typed: string) => {
    const dot = typed.indexOf('.')
    const server = dot < 0 ? '' : typed.slice(0, dot)
    onAsk({ ...asked, kind: 'tool', server, name: dot < 0 ? typed : typed.slice(dot + 1) })
  }
  return (
    <Field label={t('policy.why.tool')}>
      {(control) => (
        <Combobox
          {...control}
          code
          placeholder={t('policy.why.toolHint')}
          after={<Icon of={ChevronDown} size={14} className="text-ink-3" />}
          value={text}
          onChange={change}
          suggestions={tools.map((tool) => `${tool.server}.${tool.name}`)}
        />
      )}
    </Field>
  )
}

const grounds: Record<Verdict, string> = {
  allow: 'border-ok-line bg-ok-soft',
  ask: 'border-attn-line bg-attn-soft',
  deny: 'border-danger-line bg-danger-soft',
}

function Answer({ decision, asked }: { decision: Decision; asked: Why }) {
  const { t } = useTranslation()
  const { verdict } = decision
  return (
    <div aria-live="polite">
      <div className={`my-3.5 flex items-center gap-3 rounded-[9px] border px-[13px] py-[11px] ${grounds[verdict]}`}>
        <Socket {...verdictLooks[verdict]} size={20} />
        <div>
          <div className="font-semibold">{t(`verdicts.${verdict}`)}</div>
          <div className="text-small text-ink-2">{t(`policy.why.means.${verdict}`)}</div>
        </div>
      </div>
      <DecisionWire decision={decision} />
      <Change verdict={verdict} asked={asked} />
      <h3 className="mt-4 mb-1 text-small font-medium">{t('policy.why.terminal')}</h3>
      <Code wrap className="px-2.5! py-2! text-[11.5px]!">
        {commandOf(asked)}
      </Code>
    </div>
  )
}

/** One rule for this tool and this caller would change the answer. */
function Change({ verdict, asked }: { verdict: Verdict; asked: Why }) {
  const { t } = useTranslation()
  const toast = useToast()
  const words = useFailureWords()
  const add = useAddRule()
  const server = useServers().data?.find(({ id, name }) => id === asked.server || name === asked.server)
  const others = (['allow', 'ask', 'deny'] as const).filter((other) => other !== verdict)
  const change = (next: Verdict) =>
    add.mutate(
      {
        verdict: next,
        server: quote(server?.id ?? asked.server),
        actions: [actionOf(asked.kind, asked.name)],
        client: quote(asked.caller),
      },
      { onError: (error) => toast({ tone: 'danger', text: words(error).what }) },
    )
  return (
    <>
      <h3 className="mt-4 mb-1 text-small font-medium">
        {t(`policy.why.changeFor.${isDoor(asked.caller) ? asked.caller : 'other'}`, { who: asked.caller })}
      </h3>
      <div className="flex gap-1.5">
        {others.map((other) => (
          <Button
            key={other}
            small
            look={other === 'deny' ? 'danger' : 'plain'}
            inactive={add.isPending}
            onClick={() => change(other)}
          >
            {t(`verdicts.${other}`)}
          </Button>
        ))}
      </div>
    </>
  )
}

function commandOf({ server, name, caller }: Why): string {
  const client = caller === 'cli' ? '' : ` --client ${/^[\w.-]+$/.test(caller) ? caller : `"${caller}"`}`
  return `apollia policy explain \\\n  ${server}.${name}${client}`
}
