import { FileText, MessageSquareText, Wrench, type LucideIcon } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { EffectMark } from '@/features/vocabulary'
import type { Resource, TestReport } from '@/lib/api'
import { Card, Icon } from '@/ui'

interface Item {
  name: string
  mark?: ReactNode
}

/** Everything a server announced: tools with what they do, resources, prompts. */
export function Found({ report }: { report: TestReport }) {
  const { t } = useTranslation()
  const tools = report.tools.map((tool) => ({ name: tool.name, mark: <EffectMark effect={tool.effect} /> }))
  const addresses = (resources: readonly Resource[]) =>
    resources.map((resource) => ({ name: resource.uri ?? resource.uri_template ?? resource.name }))
  return (
    <Card className="grid grid-cols-[1.25fr_1.2fr_1fr] max-sm:grid-cols-1 [&>*+*]:border-l [&>*+*]:border-line-subtle max-sm:[&>*+*]:border-t max-sm:[&>*+*]:border-l-0">
      <Column icon={Wrench} word="tools" items={tools} />
      <Column icon={FileText} word="resources" items={addresses(report.resources)}>
        {report.templates.length > 0 && (
          <>
            <h4 className="mt-3 mb-1 text-small text-ink-2">
              {t('wizard.test.modelTemplates', { count: report.templates.length })}
            </h4>
            <Names items={addresses(report.templates)} />
          </>
        )}
      </Column>
      <Column icon={MessageSquareText} word="prompts" items={report.prompts} />
    </Card>
  )
}

interface ColumnProps {
  icon: LucideIcon
  word: 'tools' | 'resources' | 'prompts'
  items: readonly Item[]
  children?: ReactNode
}

function Column({ icon, word, items, children }: ColumnProps) {
  const { t } = useTranslation()
  return (
    <section className="min-w-0 px-3.5 py-3">
      <h3 className="mb-2 flex items-center gap-2 font-normal">
        <Icon of={icon} className="text-ink-3" />
        <span className="font-semibold">{items.length}</span>
        <span className="text-ink-2">{t(`wizard.test.${word}`, { count: items.length })}</span>
      </h3>
      <Names items={items} />
      {children}
    </section>
  )
}

const folded = 7

/** The first names, and the way to the others. */
function Names({ items }: { items: readonly Item[] }) {
  const { t } = useTranslation()
  const [all, setAll] = useState(false)
  const rest = items.length - folded
  return (
    <>
      <ul>
        {items.slice(0, all ? undefined : folded).map(({ name, mark }) => (
          <li key={name} className="flex min-h-[29px] items-center gap-2 border-t border-line-subtle text-small">
            <span className="mono min-w-0 flex-1 truncate" title={name}>
              {name}
            </span>
            {mark}
          </li>
        ))}
      </ul>
      {!all && rest > 0 && (
        <button
          type="button"
          className="rounded-badge pt-1.5 text-caption text-ink-3 hover:underline"
          onClick={() => setAll(true)}
        >
          {t('wizard.test.more', { count: rest })}
        </button>
      )}
    </>
  )
}
