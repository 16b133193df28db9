import clsx from 'clsx'
import { GripVertical, Plus, X } from 'lucide-react'
import { useRef, useState, type Dispatch, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon, IconButton } from '@/ui'
import type { ArgumentDraft } from './draft'
import { linesOf, type WizardAction } from './wizard'

export interface ArgumentListProps {
  args: readonly ArgumentDraft[]
  dispatch: Dispatch<WizardAction>
}

/** Arguments, one per row with their spaces; dragged or moved with Alt and the arrows. */
export function ArgumentList({ args, dispatch }: ArgumentListProps) {
  const { t } = useTranslation()
  const list = useRef<HTMLDivElement>(null)
  const [dragged, setDragged] = useState<number>()
  const fields = () => [...(list.current?.querySelectorAll<HTMLInputElement>('input') ?? [])]
  const move = (from: number, to: number) => {
    dispatch({ type: 'move-argument', from, to })
    requestAnimationFrame(() => fields()[to]?.focus())
  }
  const press = (at: number) => (event: KeyboardEvent<HTMLInputElement>) => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    if (event.altKey && step !== undefined) {
      event.preventDefault()
      move(at, at + step)
    } else if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) {
      event.preventDefault()
      dispatch({ type: 'add-arguments', values: [''], at: at + 1 })
    } else if (event.key === 'Backspace' && event.currentTarget.value === '') {
      event.preventDefault()
      dispatch({ type: 'remove-argument', at })
      requestAnimationFrame(() => fields()[Math.max(0, at - 1)]?.focus())
    }
  }
  return (
    <div
      ref={list}
      role="group"
      aria-label={t('wizard.args.title')}
      className="overflow-hidden rounded-control border border-line-control bg-surface text-small [&>*+*]:border-t [&>*+*]:border-line-subtle"
    >
      {args.map((arg, at) => (
        <div
          key={arg.key}
          role="presentation"
          className={clsx('flex h-[31px] items-center gap-2 pr-0.5 pl-2.5', dragged === at && 'bg-selected')}
          onDragOver={(event) => event.preventDefault()}
          onDragEnter={() => {
            if (dragged === undefined || dragged === at) return
            dispatch({ type: 'move-argument', from: dragged, to: at })
            setDragged(at)
          }}
        >
          <span
            draggable
            aria-hidden
            onDragStart={() => setDragged(at)}
            onDragEnd={() => setDragged(undefined)}
            className="-ml-1 cursor-grab text-ink-3"
          >
            <Icon of={GripVertical} size={14} />
          </span>
          <input
            aria-label={t('wizard.args.one', { n: at + 1 })}
            data-field={`args[${at}]`}
            value={arg.value}
            spellCheck={false}
            autoComplete="off"
            onKeyDown={press(at)}
            onChange={(event) => dispatch({ type: 'argument', at, value: event.target.value })}
            onPaste={(event) => {
              const lines = linesOf(event.clipboardData.getData('text/plain'))
              if (lines.length < 2) return
              event.preventDefault()
              if (arg.value === '') dispatch({ type: 'remove-argument', at })
              dispatch({ type: 'add-arguments', values: lines, at: arg.value === '' ? at : at + 1 })
            }}
            className="-mx-1 h-full min-w-0 flex-1 rounded-[3px] bg-transparent px-1 font-code text-[11.56px] [font-feature-settings:normal] focus-visible:shadow-[inset_0_0_0_2px_var(--focus)]"
          />
          <IconButton
            icon={X}
            size={14}
            label={t('wizard.remove', { name: arg.value === '' ? t('wizard.args.one', { n: at + 1 }) : arg.value })}
            onClick={() => dispatch({ type: 'remove-argument', at })}
          />
        </div>
      ))}
      <div className="flex h-[31px] items-center pl-1">
        <button
          type="button"
          className="flex h-7 items-center gap-1.5 rounded-badge px-1 text-accent-text hover:underline"
          onClick={() => {
            dispatch({ type: 'add-arguments', values: [''] })
            requestAnimationFrame(() => fields().at(-1)?.focus())
          }}
        >
          <Icon of={Plus} size={14} />
          {t('wizard.args.add')}
        </button>
      </div>
    </div>
  )
}
