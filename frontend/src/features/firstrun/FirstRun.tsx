import { Link, useNavigate } from '@tanstack/react-router'
import clsx from 'clsx'
import { ClipboardPaste, Clock, Globe, Plus, ShieldCheck, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, Card, Code, Icon, Tile } from '@/ui'
import { FirstDrawing } from './FirstDrawing'

/** Before the first server: what this is, and the ways in. It comes back when all servers are removed. */
export function FirstRun() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const add = () => void navigate({ to: '/add' })
  return (
    <div className="flex min-h-0 flex-1 flex-col items-center overflow-y-auto px-7 pt-11 pb-[22px] text-center">
      <FirstDrawing />
      <h1 tabIndex={-1} className="mb-1.5 text-hero font-semibold tracking-[-.018em]">
        {t('firstRun.title')}
      </h1>
      <p className="text-ink-2">
        {t('firstRun.what')}
        <br className="max-md:hidden" /> {t('firstRun.how')}
      </p>
      <div className="mt-[26px] grid w-full max-w-[860px] grid-cols-[1.12fr_1fr_1fr] gap-3.5 text-left max-sm:grid-cols-1">
        <Way icon={Plus} title={t('firstRun.own.title')} text={t('firstRun.own.text')} first>
          <Code className="px-2.5! py-[7px]! text-[11.5px]!">npx -y @acme/mcp-postgres</Code>
          <Button look="primary" icon={Plus} className="mt-auto" onClick={add}>
            {t('connexions.add')}
          </Button>
        </Way>
        <Way icon={Globe} title={t('firstRun.remote.title')} text={t('firstRun.remote.text')}>
          <Code className="px-2.5! py-[7px]! text-[11.5px]!">https://…/mcp</Code>
          <Button
            className="mt-auto"
            onClick={() => void navigate({ to: '/add', search: { transport: 'streamable_http' } })}
          >
            {t('firstRun.remote.action')}
          </Button>
        </Way>
        <Way icon={ClipboardPaste} title={t('firstRun.snippet.title')} text={t('firstRun.snippet.text')}>
          <Code className="px-2.5! py-[7px]! text-[11.5px]!">{'{ "mcpServers": … }'}</Code>
          <Button className="mt-auto" onClick={add}>
            {t('firstRun.snippet.action')}
          </Button>
        </Way>
      </div>
      <p className="mt-[22px] flex items-center gap-2 text-small text-ink-2">
        <Icon of={Clock} size={15} className="text-ink-3" />
        <span>
          {t('firstRun.try.ask')}{' '}
          <Link
            to="/add"
            className="underline underline-offset-2"
            search={{ paste: 'npx -y @modelcontextprotocol/server-everything' }}
          >
            {t('firstRun.try.link')}
          </Link>
          {t('firstRun.try.note')}
        </span>
      </p>
      <p className="mt-auto flex items-center gap-2 pt-5 text-caption text-ink-3">
        <Icon of={ShieldCheck} size={14} />
        {t('firstRun.telemetry')}
      </p>
    </div>
  )
}

interface WayProps {
  icon: LucideIcon
  title: string
  text: string
  /** The way with the filled button. */
  first?: boolean
  children: ReactNode
}

function Way({ icon, title, text, first = false, children }: WayProps) {
  return (
    <Card className={clsx('flex flex-col gap-2.5 p-3.5', first && 'border-accent-line!')}>
      <div className="flex items-center gap-2.5">
        <Tile icon={icon} />
        <h2 className="text-lead font-semibold">{title}</h2>
      </div>
      <p className="min-h-[54px] text-small text-ink-2">{text}</p>
      {children}
    </Card>
  )
}
