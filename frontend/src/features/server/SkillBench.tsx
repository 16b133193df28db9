import clsx from 'clsx'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Server, Skill, SkillFile } from '@/lib/api'
import type { Target } from '@/lib/fillIn'
import { formatBytes } from '@/lib/format'
import { useLang } from '@/lib/i18n'
import { Button } from '@/ui'
import { useMakeCall } from './queries'
import { Beside } from './Workbench'

/** A skill, its files, and what reading one of them came to. The core refuses a file that is not what was announced. */
export function SkillBench({ server, skill }: { server: Server; skill: Skill }) {
  const { t } = useTranslation()
  const make = useMakeCall()
  const [open, setOpen] = useState(skill.files[0]?.uri ?? skill.uri)
  const targetOf = (name: string): Target => ({ server: server.id, kind: 'resource', name })
  const read = (uri: string) => {
    setOpen(uri)
    make.mutate({ target: targetOf(uri), args: {} })
  }
  return (
    <Beside server={server} target={targetOf(open)} make={make}>
      <section
        data-pane
        aria-label={skill.name}
        className="flex min-h-0 flex-1 flex-col overflow-y-auto bg-surface px-4 py-3.5"
      >
        <h2 className="font-code text-[14px] leading-[20px] font-semibold break-words">{skill.name}</h2>
        <p className="mono text-small break-all text-ink-2">{skill.uri}</p>
        {skill.description && (
          <p className="mt-2 text-small break-words whitespace-pre-line text-ink-2">{skill.description}</p>
        )}
        <h3 className="mt-4 text-small font-semibold">{t('server.skills.files', { count: skill.files.length })}</h3>
        <ul className="mt-1">
          {skill.files.map((file) => (
            <FileRow key={file.uri} file={file} name={within(skill, file)} open={file.uri === open} onRead={read} />
          ))}
        </ul>
        <p className="mt-3 text-caption text-ink-3">{t('server.skills.checked')}</p>
      </section>
    </Beside>
  )
}

/** The address of a file below the folder of its skill; whole when it is elsewhere. */
function within({ uri }: Skill, file: SkillFile): string {
  const folder = uri.slice(0, uri.lastIndexOf('/') + 1)
  return folder !== '' && file.uri.startsWith(folder) ? file.uri.slice(folder.length) : file.uri
}

interface FileRowProps {
  file: SkillFile
  name: string
  open: boolean
  onRead: (uri: string) => void
}

function FileRow({ file, name, open, onRead }: FileRowProps) {
  const { t } = useTranslation()
  const lang = useLang()
  return (
    <li className="flex min-h-9 items-center gap-2 border-t border-line-subtle text-small">
      <span title={file.uri} className={clsx('mono min-w-0 flex-1 truncate', open && 'font-medium')}>
        {name}
      </span>
      <span className="flex-none text-ink-3 tabular-nums">
        {file.size === undefined ? '' : formatBytes(file.size, lang)}
      </span>
      <Button small aria-label={t('server.skills.readFile', { uri: file.uri })} onClick={() => onRead(file.uri)}>
        {t('server.skills.read')}
      </Button>
    </li>
  )
}
