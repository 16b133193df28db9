import { Ban, Copy } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EffectMark, FindingNote, findingsOf, useCopy } from '@/features/vocabulary'
import type { ToolView } from '@/lib/api'
import { Badge, Icon, Segmented, Tooltip } from '@/ui'
import { withMode, type Draft } from './draft'
import { HeldTool } from './HeldTool'
import { isHeld } from './toolGroups'

/** The tool's name, effect, exported name and words. The words are the server's: plain text. */
export function ToolIntro({ tool, draft, onDraft }: { tool: ToolView; draft: Draft; onDraft: (draft: Draft) => void }) {
  const { t } = useTranslation()
  const copy = useCopy()
  return (
    <header>
      <div className="flex items-start gap-2">
        <h2 className="min-w-0 flex-1 pt-1 font-code text-[14px] leading-[20px] font-semibold break-words [font-feature-settings:normal]">
          {tool.name}
        </h2>
        <Segmented
          small
          label={t('server.form.mode')}
          value={draft.text === undefined ? 'fields' : 'json'}
          onChange={(mode) => onDraft(withMode(draft, mode))}
          segments={[
            { value: 'fields', label: t('server.form.fields') },
            { value: 'json', label: t('server.form.json') },
          ]}
        />
      </div>
      <div className="mt-0.5 flex items-center gap-2 text-caption text-ink-3">
        <EffectMark effect={tool.effect} />
        <span aria-hidden>·</span>
        <Tooltip text={t('server.tools.copyExported')}>
          <button
            type="button"
            onClick={() => copy(tool.wire_name)}
            className="group mono flex min-w-0 items-center gap-1 rounded-badge hover:text-ink"
          >
            <span className="truncate">{tool.wire_name}</span>
            <Icon of={Copy} size={12} className="opacity-0 group-hover:opacity-100 group-focus-visible:opacity-100" />
          </button>
        </Tooltip>
      </div>
      {tool.verdict === 'deny' && !isHeld(tool) && (
        <Badge tone="danger" icon={Ban} className="mt-2">
          {t('server.tools.denied')}
        </Badge>
      )}
      {isHeld(tool) && <HeldTool tool={tool} />}
      <FindingNote findings={findingsOf(tool)} className="mt-2" />
      <Description text={tool.description ?? ''} title={tool.title ?? ''} />
    </header>
  )
}

const LONG = 280

function Description({ text, title }: { text: string; title: string }) {
  const { t } = useTranslation()
  const [whole, setWhole] = useState(false)
  const said = [title, text].filter((part) => part !== '')
  if (said.length === 0) return <div className="h-3" />
  const cut = !whole && text.length > LONG
  return (
    <div className="mt-2 mb-3 text-small text-ink-2">
      {title !== '' && <div className="font-medium text-ink">{title}</div>}
      <p className="break-words whitespace-pre-line">{cut ? `${text.slice(0, LONG).trimEnd()}…` : text}</p>
      {text.length > LONG && (
        <button
          type="button"
          className="rounded-badge text-accent-text hover:underline"
          onClick={() => setWhole(!whole)}
        >
          {t(whole ? 'server.tools.less' : 'server.tools.more')}
        </button>
      )}
    </div>
  )
}
