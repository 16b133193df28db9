import { Pencil } from 'lucide-react'
import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useServerName } from '@/features/connexions'
import { FailureNote } from '@/features/vocabulary'
import type { InboxRequest } from '@/lib/api'
import { writeJson } from '@/lib/json'
import { Button, Card, Checkbox, JsonCode, KeyValue, KeyValueList, Note, NumberInput, TextArea } from '@/ui'
import { LongText } from './LongText'
import { longest, partsOf, restOf, tokensOf, wish, wordsAt, type Part } from './prompt'
import type { TextDecision } from './useText'

/** The exact text with who says what, what else is asked for, and what a person should know before it goes. */
export function TextContent({ request, text }: { request: InboxRequest; text: TextDecision }) {
  const { t } = useTranslation()
  const server = useServerName()(request.server)
  const waits = request.status === 'waiting'
  const isAnswer = request.text_for !== undefined
  const failure = request.failure ?? (waits ? text.outlook?.failure : undefined)
  return (
    <>
      {failure && <FailureNote error={failure} tone="attn" className="mb-3" />}
      {failure?.code === 'model_not_set' && (
        <p className="mb-3 text-small">
          <Link to="/settings" search={{ row: 'model.base_url' }}>
            {t('inbox.text.settings')}
          </Link>
        </p>
      )}
      <Exact request={request} text={text} />
      {!isAnswer && <Facts text={text} waits={waits} />}
      {waits && !isAnswer && (
        <>
          <Checkbox on={text.review} onChange={text.setReview} className="mt-3.5">
            {t('inbox.text.review', { server })}
          </Checkbox>
          <p className="mt-2 text-small text-ink-2">{t('inbox.text.then', { server })}</p>
        </>
      )}
      {(text.edited || request.answer?.params !== undefined) && (
        <Note className="mt-3" role="status">
          {t(waits ? 'inbox.text.edited' : 'inbox.text.wasEdited')}
        </Note>
      )}
    </>
  )
}

function Exact({ request, text }: { request: InboxRequest; text: TextDecision }) {
  const { t } = useTranslation()
  const { editing, setEditing } = text
  const parts = partsOf(text.params)
  const rest = restOf(text.params)
  return (
    <section aria-label={t('inbox.text.exact')}>
      <div className="mb-1.5 flex min-h-7 flex-wrap items-center gap-2">
        <h3 className="font-semibold">{t('inbox.text.exact')}</h3>
        <span className="text-small text-ink-3">
          {t('inbox.text.size', {
            messages: t('inbox.text.messages', { count: parts.filter(({ role }) => role !== 'system').length }),
            count: tokensOf(parts),
          })}
        </span>
        <span className="flex-1" />
        {request.status === 'waiting' && (
          <Button small look="ghost" icon={Pencil} onClick={() => setEditing(!editing)}>
            {t(editing ? 'inbox.editDone' : 'inbox.edit')}
          </Button>
        )}
      </div>
      <Card className="divide-y divide-line-subtle overflow-hidden">
        {parts.map((part) => (
          <Said key={part.path.join('.')} part={part} text={text} />
        ))}
      </Card>
      {rest && (
        <details className="mt-2.5 text-small">
          <summary className="text-ink-2">{t('inbox.text.rest', { names: Object.keys(rest).join(', ') })}</summary>
          <JsonCode className="mt-1.5 max-h-72" label={t('inbox.text.restLabel')} text={writeJson(rest, 2)} />
        </details>
      )}
    </section>
  )
}

function Said({ part, text }: { part: Part; text: TextDecision }) {
  const { t } = useTranslation()
  const role = t(`inbox.text.roles.${part.role}`)
  return (
    <div className="grid grid-cols-[88px_minmax(0,1fr)] gap-x-2 px-3 py-2.5 max-sm:grid-cols-1">
      <span className="text-small text-ink-2">{role}</span>
      {part.other ? (
        <JsonCode className="max-h-60" label={role} text={writeJson(part.other, 2)} />
      ) : text.editing ? (
        <TextArea
          aria-label={role}
          rows={Math.min(12, (part.text ?? '').split('\n').length + 1)}
          value={part.text}
          onChange={(event) => text.setParams(wordsAt(text.params, part.path, event.target.value))}
        />
      ) : (
        <LongText tall label={role} text={part.text ?? ''} />
      )}
    </div>
  )
}

/** Which model it would like and which it gets, how long the text may be, and how much this server asked this hour. */
function Facts({ text, waits }: { text: TextDecision; waits: boolean }) {
  const { t } = useTranslation()
  const { outlook, params } = text
  const fault = useId()
  const wanted = wish(params)
  const most = longest(params)
  return (
    <div className="mt-4 grid grid-cols-2 gap-x-6 gap-y-1.5 max-sm:grid-cols-1">
      <KeyValueList>
        <KeyValue name={t('inbox.text.wants')}>
          {typeof wanted === 'object' ? wanted.name : t(`inbox.text.wishes.${wanted ?? 'none'}`)}
        </KeyValue>
        {waits && (
          <KeyValue name={t('inbox.text.gets')}>
            <b className="font-semibold">{outlook && (outlook.model ?? t('inbox.text.noModel'))}</b>
          </KeyValue>
        )}
      </KeyValueList>
      <KeyValueList>
        <KeyValue name={t('inbox.text.length')}>
          {text.editing ? (
            <>
              <NumberInput
                aria-label={t('inbox.text.length')}
                {...(text.lengthFault ? { 'aria-invalid': true, 'aria-describedby': fault } : {})}
                min={1}
                value={most}
                unit={t('inbox.text.unit')}
                onChange={(next) => text.setParams({ ...params, maxTokens: next ?? null })}
              />
              {text.lengthFault && (
                <span id={fault} className="mt-1 block text-caption text-danger-text">
                  {t('inbox.text.lengthFault')}
                </span>
              )}
            </>
          ) : (
            t('inbox.text.atMost', { count: most ?? 0 })
          )}
        </KeyValue>
        {waits && outlook && (
          <KeyValue name={t('inbox.text.hour')}>
            <span className="flex items-center gap-2.5">
              <span aria-hidden className="h-1.5 w-16 overflow-hidden rounded-full border border-line bg-sunken">
                <span
                  className="block h-full bg-accent"
                  style={{ width: `${Math.min(100, (100 * outlook.asked) / Math.max(1, outlook.most))}%` }}
                />
              </span>
              {t('inbox.text.meter', { asked: outlook.asked, most: outlook.most })}
            </span>
          </KeyValue>
        )}
      </KeyValueList>
    </div>
  )
}
