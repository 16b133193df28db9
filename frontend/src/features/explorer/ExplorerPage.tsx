import { Link, useNavigate, useSearch as useAddress } from '@tanstack/react-router'
import clsx from 'clsx'
import { ArrowLeft, Search } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FailureNote } from '@/features/vocabulary'
import type { ToolboxView } from '@/lib/api'
import { formatNumber } from '@/lib/format'
import { useLang } from '@/lib/i18n'
import { useRested } from '@/lib/useRested'
import { Icon, PageBody, PageHead, Select, TextInput } from '@/ui'
import { Categories } from './Categories'
import { Found } from './Found'
import { useNamedClients, useToolbox } from './queries'

/** About how many bytes of a definition a model counts as one token. */
const bytesOfToken = 4

/** Milliseconds of rest before a question is asked. */
const rest = 150

/** What an agent sees of the tools, found as it finds them. */
export function ExplorerPage() {
  const { t } = useTranslation()
  const navigate = useNavigate({ from: '/tools' })
  const { q = '', as = '', category = '' } = useAddress({ from: '/shell/tools' })
  const [question, setQuestion] = useState(q)
  const rested = useRested(question, rest)
  const view = useToolbox(as)
  const go = (change: { as?: string; category?: string }) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true })
  return (
    <>
      <PageHead
        before={
          <Link
            to="/"
            aria-label={t('preferences.back')}
            className="grid size-7 flex-none place-items-center rounded-control text-ink-2 hover:bg-hover"
          >
            <Icon of={ArrowLeft} size={16} />
          </Link>
        }
        title={t('explorer.title')}
        facts={view.data && <Facts view={view.data} />}
        actions={<SeenBy as={as} onChange={(next) => go({ as: next, category: '' })} />}
      />
      <div className="px-[var(--px)] pb-3">
        <TextInput
          icon={Search}
          data-page-search
          aria-label={t('explorer.search')}
          placeholder={t('explorer.search')}
          value={question}
          onChange={(event) => setQuestion(event.target.value)}
          frameClassName="max-w-[620px]"
        />
      </div>
      <PageBody
        className={clsx(
          'grid items-start gap-5',
          (view.data?.categories.length ?? 0) > 0 && 'grid-cols-[200px_1fr] max-md:grid-cols-1',
        )}
      >
        {view.error && <FailureNote error={view.error} onRetry={() => view.refetch()} className="col-span-full" />}
        {view.data && (
          <>
            <Categories
              view={view.data}
              chosen={question.trim() === '' ? category : ''}
              onChoose={(name) => {
                setQuestion('')
                go({ category: name })
              }}
            />
            <Found question={rested} category={category} as={as} empty={view.data.tools === 0} onAsk={setQuestion} />
          </>
        )}
      </PageBody>
    </>
  )
}

function Facts({ view }: { view: ToolboxView }) {
  const { t } = useTranslation()
  const lang = useLang()
  const tokens = formatNumber(Math.round(view.bytes / bytesOfToken / 100) * 100, lang)
  return (
    <>
      {t('explorer.tools', { count: view.tools })}
      {view.tools > 0 && ` · ${t(`explorer.mode.${view.mode}`, { tokens })}`}
    </>
  )
}

function SeenBy({ as, onChange }: { as: string; onChange: (as: string) => void }) {
  const { t } = useTranslation()
  const clients = useNamedClients()
  const others = as === '' || as === 'cli' || clients.includes(as) ? clients : [...clients, as]
  const options = [
    { value: 'window', label: t('explorer.seenBy.window') },
    { value: 'cli', label: t('explorer.seenBy.cli') },
    ...others.filter((name) => name !== 'window').map((name) => ({ value: name, label: name })),
  ]
  return (
    <label className="flex flex-none items-center gap-2 text-small text-ink-2">
      {t('explorer.seenBy.label')}
      <Select
        look="chip"
        label={t('explorer.seenBy.label')}
        value={as === '' ? 'window' : as}
        options={options}
        onChange={(next) => onChange(next === 'window' ? '' : next)}
      />
    </label>
  )
}
