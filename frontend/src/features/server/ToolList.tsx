import { Ban, FileDiff } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { EffectMark, FindingMark, findingsOf } from '@/features/vocabulary'
import type { ToolView } from '@/lib/api'
import { Badge, Icon, Tooltip } from '@/ui'
import { OfferList, type Offer } from './OfferList'
import { groupTools, isHeld } from './toolGroups'

export interface ToolListProps {
  tools: readonly ToolView[]
  open: string | undefined
  onOpen: (name: string) => void
}

/** The tools by what they do. */
export function ToolList({ tools, open, onOpen }: ToolListProps) {
  const { t } = useTranslation()
  const groups = groupTools(tools).map((group) => ({
    key: group.effect,
    title: <EffectMark effect={group.effect} />,
    offers: group.tools.map(offerOf),
  }))
  return (
    <OfferList
      label={t('server.tools.list')}
      filterLabel={t('server.tools.filter')}
      groups={groups}
      open={open}
      onOpen={onOpen}
    />
  )
}

function offerOf(tool: ToolView): Offer {
  const { name, title = '', description = '' } = tool
  return {
    key: name,
    name,
    more: `${title} ${description}`,
    mark: <Mark tool={tool} />,
    struck: tool.verdict === 'deny' && !isHeld(tool),
  }
}

function Mark({ tool }: { tool: ToolView }) {
  const { t } = useTranslation()
  const held = isHeld(tool)
  const denied = tool.verdict === 'deny' && !held
  if (!denied && !held) return findingsOf(tool).length > 0 ? <FindingMark /> : null
  const word = t(denied ? 'server.tools.denied' : 'server.tools.changed')
  return (
    <Tooltip text={word}>
      <span className="flex-none">
        {denied ? (
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
