import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Call } from '@/lib/api'
import { writeJson } from '@/lib/json'
import { Button, JsonCode, Note } from '@/ui'
import { saveText } from '@/lib/save'
import { rawResult } from '../queries'
import { Blocks } from './Blocks'
import { JsonTree } from './JsonTree'
import { blocksOf, endsOf, LARGE, structuredOf, treeValueOf } from './result'

export type ResultView = 'text' | 'tree' | 'raw'

/** A finished result in one of its three views. */
export function ResultBody({ call, view }: { call: Call; view: ResultView }) {
  const { t } = useTranslation()
  const raw = rawResult(call)
  const text = useMemo(() => (view === 'raw' ? writeJson(raw, 2) : ''), [raw, view])
  if (view === 'raw') return <Raw text={text} name={call.name} />
  if (view === 'tree')
    return <JsonTree key={call.id} value={treeValueOf(call.kind, raw)} label={t('server.result.views.tree')} />
  const blocks = blocksOf(call.kind, raw)
  const structured = structuredOf(raw)
  if (blocks.length > 0) return <Blocks blocks={blocks} server={call.server} />
  if (structured !== undefined) return <Raw text={writeJson(structured, 2)} name={call.name} />
  return <p className="px-3.5 py-3 text-small text-ink-3">{t('server.result.emptyMore')}</p>
}

function Raw({ text, name }: { text: string; name: string }) {
  const { t } = useTranslation()
  const { head, omitted, tail } = endsOf(text)
  return (
    <>
      {text.length > LARGE && (
        <Note className="m-3.5 mb-0">
          <span className="flex items-center gap-3">
            <span className="flex-1">{t('server.result.large')}</span>
            <Button small onClick={() => saveText(`${name}.json`, text)}>
              {t('server.result.save')}
            </Button>
          </span>
        </Note>
      )}
      <JsonCode
        label={t('server.result.views.raw')}
        className="m-3.5 min-h-0 flex-1"
        text={omitted > 0 ? `${head}\n\n…\n\n${tail}` : head}
      />
    </>
  )
}
