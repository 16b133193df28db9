import { Download, ExternalLink, FileText, Link2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { formatBytes } from '@/lib/format'
import { useLang } from '@/lib/i18n'
import { writeJson } from '@/lib/json'
import { openOutside } from '@/lib/native'
import { Button, Card, Icon, JsonCode, Note } from '@/ui'
import { saveBase64, saveText } from '@/lib/save'
import { dataUrl, endsOf, type Block, type Content } from './result'

/** The blocks of a result, one under the other. Everything in them is the server's: shown, never run. */
export function Blocks({ blocks, server }: { blocks: readonly Block[]; server: string }) {
  return (
    <div className="space-y-3 px-3.5 py-3">
      {blocks.map((block, i) => (
        <BlockView key={i} block={block} name={`${server}-${i + 1}`} />
      ))}
    </div>
  )
}

function BlockView({ block, name }: { block: Block; name: string }) {
  const { t } = useTranslation()
  const { role, uri, content } = block
  return (
    <div>
      {role && (
        <div className="mb-1 text-caption text-ink-3">
          {t([`server.prompts.roles.${role}`, 'server.prompts.roles.other'], { role })}
        </div>
      )}
      {uri && (
        <div className="mb-1 flex items-center gap-1.5 text-caption text-ink-3">
          <Icon of={FileText} size={13} />
          <span className="mono truncate">{uri}</span>
        </div>
      )}
      <ContentView content={content} name={name} />
    </div>
  )
}

function ContentView({ content, name }: { content: Content; name: string }) {
  switch (content.kind) {
    case 'text':
      return <TextView text={content.text} name={name} />
    case 'image':
    case 'audio':
      return <Media content={content} name={name} />
    case 'file':
      return <FileLine mime={content.mime} bytes={content.bytes} onSave={() => saveBase64(name, content.data)} />
    case 'link':
      return <LinkLine content={content} />
    case 'other':
      return <JsonCode text={writeJson(content.value, 2)} />
  }
}

/** Text exactly as sent; a long one by its two ends. Addresses in it stay text. */
function TextView({ text, name }: { text: string; name: string }) {
  const { t } = useTranslation()
  const lang = useLang()
  const { head, omitted, tail } = endsOf(text)
  return (
    <>
      <p className="font-code text-[12px] leading-[18px] break-words whitespace-pre-wrap [font-feature-settings:normal]">
        {head}
      </p>
      {omitted > 0 && (
        <>
          <Note className="my-3">
            <span className="flex items-center gap-3">
              <span className="flex-1">{t('server.result.omitted', { size: formatBytes(omitted, lang) })}</span>
              <Button small onClick={() => saveText(`${name}.txt`, text)}>
                {t('server.result.save')}
              </Button>
            </span>
          </Note>
          <p className="font-code text-[12px] leading-[18px] break-words whitespace-pre-wrap">{tail}</p>
        </>
      )}
    </>
  )
}

function Media({ content, name }: { content: Extract<Content, { kind: 'image' | 'audio' }>; name: string }) {
  const { t } = useTranslation()
  const lang = useLang()
  const save = () => saveBase64(`${name}.${content.mime.split('/')[1]?.split('+')[0] ?? 'bin'}`, content.data)
  return (
    <figure>
      {content.kind === 'image' ? (
        <img
          src={dataUrl(content)}
          alt={t('server.result.image')}
          className="max-h-[480px] max-w-full rounded-lg border border-line-subtle bg-[repeating-conic-gradient(var(--bg-sunken)_0_25%,var(--bg-surface)_0_50%)] bg-[length:16px_16px]"
        />
      ) : (
        // eslint-disable-next-line jsx-a11y/media-has-caption -- a tool's sound brings no captions
        <audio controls src={dataUrl(content)} className="w-full max-w-[420px]" />
      )}
      <figcaption className="mt-1 flex items-center gap-2 text-caption text-ink-3">
        <span>{`${content.mime} · ${formatBytes(content.bytes, lang)}`}</span>
        <Button look="link" className="text-caption!" onClick={save}>
          {t('server.result.save')}
        </Button>
      </figcaption>
    </figure>
  )
}

function FileLine({ mime, bytes, onSave }: { mime: string; bytes: number; onSave: () => void }) {
  const { t } = useTranslation()
  const lang = useLang()
  return (
    <Card className="flex items-center gap-3 px-3 py-2 shadow-none!">
      <Icon of={FileText} className="text-ink-3" />
      <span className="min-w-0 flex-1 truncate text-small">{`${mime || t('server.result.binary')} · ${formatBytes(bytes, lang)}`}</span>
      <Button small icon={Download} onClick={onSave}>
        {t('server.result.save')}
      </Button>
    </Card>
  )
}

/** A link is text until it is clicked; only web pages open, in the person's own browser. */
function LinkLine({ content }: { content: Extract<Content, { kind: 'link' }> }) {
  const { t } = useTranslation()
  const isPage = /^https?:\/\//i.test(content.uri)
  return (
    <Card className="flex items-start gap-3 px-3 py-2 shadow-none!">
      <Icon of={Link2} className="mt-0.5 text-ink-3" />
      <span className="min-w-0 flex-1 text-small">
        {content.name && <span className="block font-medium break-words">{content.name}</span>}
        <span className="mono block break-all text-ink-2">{content.uri}</span>
        {content.description && <span className="block break-words text-ink-3">{content.description}</span>}
      </span>
      {isPage && (
        <Button small icon={ExternalLink} onClick={() => openOutside(content.uri)}>
          {t('server.result.open')}
        </Button>
      )}
    </Card>
  )
}
