import clsx from 'clsx'
import { PanelRightClose, PanelRightOpen } from 'lucide-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type { Frame, Server } from '@/lib/api'
import { formatNumber } from '@/lib/format'
import { useLang } from '@/lib/i18n'
import { IconButton } from '@/ui'
import { useTraffic } from '../streams'
import { summaries, tickWidth } from './frames'
import { TrafficList } from './TrafficList'

const TICKS = 16
const noFrames: readonly Frame[] = []

/** The messages exchanged with the server: a trace of ticks, or the list. It stays as it is from tab to tab. */
export function TrafficColumn({
  server,
  open,
  onOpen,
}: {
  server: Server
  open: boolean
  onOpen: (open: boolean) => void
}) {
  const { t } = useTranslation()
  const lang = useLang()
  const traffic = useTraffic(server.id, { every: open ? 1000 : 3000 })
  const frames = traffic.data?.items ?? noFrames
  const count = frames.at(-1)?.seq ?? 0
  useCtrlJ(() => onOpen(!open))
  if (open) {
    return (
      <aside
        data-pane
        aria-label={t('server.traffic.title')}
        className="flex w-80 flex-none flex-col border-l border-line bg-window"
      >
        <div className="flex h-11 flex-none items-center gap-2 border-b border-line pr-1.5 pl-3">
          <h2 className="text-small font-medium">{t('server.traffic.title')}</h2>
          <span className="flex-1 text-small text-ink-3">{formatNumber(count, lang)}</span>
          <IconButton
            icon={PanelRightClose}
            label={t('server.traffic.close')}
            aria-keyshortcuts="Control+J"
            onClick={() => onOpen(false)}
          />
        </div>
        <TrafficList frames={frames} />
      </aside>
    )
  }
  return (
    <aside
      data-pane
      aria-label={t('server.traffic.title')}
      className="flex w-10 flex-none flex-col items-center gap-2.5 border-l border-line bg-window pt-2 max-md:w-9"
    >
      <IconButton
        icon={PanelRightOpen}
        label={t('server.traffic.open')}
        aria-keyshortcuts="Control+J"
        onClick={() => onOpen(true)}
      />
      <div className="flex gap-1.5 text-small font-medium text-ink-2 [writing-mode:vertical-rl]">
        {t('server.traffic.title')}
        <span className="font-normal text-ink-3">{formatNumber(count, lang)}</span>
      </div>
      <Ticks frames={frames} />
    </aside>
  )
}

/** One line per message: out at the left, in at the right, red for an error. */
function Ticks({ frames }: { frames: readonly Frame[] }) {
  const named = summaries(frames).slice(-TICKS)
  return (
    <div aria-hidden className="mt-1 flex w-4 flex-col gap-1.5">
      {frames.slice(-TICKS).map((frame, i) => {
        const error = named[i]?.kind === 'error'
        return (
          <i
            key={frame.seq}
            className={clsx(
              'h-0.5 rounded-[1px]',
              error
                ? 'bg-danger'
                : frame.direction === 'received'
                  ? 'bg-accent opacity-75'
                  : 'bg-line-control opacity-75',
              frame.direction === 'received' && 'self-end',
            )}
            style={{ width: tickWidth(frame.size) }}
          />
        )
      })}
    </div>
  )
}

function useCtrlJ(run: () => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'j') return
      event.preventDefault()
      run()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  })
}
