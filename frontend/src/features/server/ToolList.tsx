import clsx from 'clsx'
import { Ban, FileDiff, Search } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EffectMark } from '@/features/vocabulary'
import type { ToolView } from '@/lib/api'
import { moveFocus } from '@/lib/roving'
import { Badge, Icon, TextInput, Tooltip } from '@/ui'
import { groupTools, isHeld } from './toolGroups'

export interface ToolListProps {
  tools: readonly ToolView[]
  open: string | undefined
  onOpen: (name: string) => void
}

/** The tools by what they do, with a filter; arrows move. */
export function ToolList({ tools, open, onOpen }: ToolListProps) {
  const { t } = useTranslation()
  const [filter, setFilter] = useState('')
  const groups = groupTools(tools, filter)
  const names = groups.flatMap((group) => group.tools.map(({ name }) => name))
  const stop = open !== undefined && names.includes(open) ? open : names[0]
  return (
    <nav data-pane aria-label={t('server.tools.list')} className="flex min-h-0 flex-1 flex-col pt-3">
      <div className="px-2.5 pb-2 pl-4">
        <TextInput
          soft
          icon={Search}
          data-page-search
          aria-label={t('server.tools.filter')}
          placeholder={t('server.tools.filter')}
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
          frameClassName="h-7! text-small!"
        />
      </div>
      <div
        role="presentation"
        onKeyDown={(event) => moveFocus(event, '[data-tool]')}
        className="min-h-0 flex-1 overflow-y-auto pr-2.5 pb-3 pl-4"
      >
        {groups.length === 0 && <p className="px-2 text-small text-ink-3">{t('server.tools.noMatch')}</p>}
        {groups.map(({ effect, tools: some }) => (
          <section key={effect} className="mb-2.5 first:[&>h2]:pt-1">
            <h2 className="flex items-center justify-between px-2 pb-[3px] text-[11.5px] leading-5 font-normal text-ink-3">
              <span className="flex font-medium [&>*]:text-[12px] [&>*]:leading-5">
                <EffectMark effect={effect} />
              </span>
              <span>{some.length}</span>
            </h2>
            <ul>
              {some.map((tool) => (
                <li key={tool.name}>
                  <Row tool={tool} open={tool.name === open} tabIndex={tool.name === stop ? 0 : -1} onOpen={onOpen} />
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </nav>
  )
}

interface RowProps {
  tool: ToolView
  open: boolean
  tabIndex: number
  onOpen: (name: string) => void
}

function Row({ tool, open, tabIndex, onOpen }: RowProps) {
  const denied = tool.verdict === 'deny'
  return (
    <button
      type="button"
      data-tool={tool.name}
      tabIndex={tabIndex}
      aria-current={open || undefined}
      onClick={() => onOpen(tool.name)}
      onFocus={() => open || onOpen(tool.name)}
      className={clsx(
        'flex h-[27px] w-full items-center gap-1.5 rounded-control px-2 text-left text-small',
        open ? 'bg-selected font-medium' : 'hover:bg-hover',
      )}
    >
      <span title={tool.name} className={clsx('mono min-w-0 flex-1 truncate', denied && 'text-ink-3 line-through')}>
        {tool.name}
      </span>
      <Mark tool={tool} />
    </button>
  )
}

function Mark({ tool }: { tool: ToolView }) {
  const { t } = useTranslation()
  const word = tool.verdict === 'deny' ? t('server.tools.denied') : isHeld(tool) ? t('server.tools.changed') : undefined
  if (word === undefined) return null
  return (
    <Tooltip text={word}>
      <span className="flex-none">
        {tool.verdict === 'deny' ? (
          <Icon of={Ban} size={13} className="mx-1 text-ink-3" />
        ) : (
          <Badge tone="attn" className="px-1!">
            <Icon of={FileDiff} size={13} />
          </Badge>
        )}
        <span className="sr-only">{word}</span>
      </span>
    </Tooltip>
  )
}
