import clsx from 'clsx'
import { useState, type KeyboardEvent, type PointerEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { Tooltip } from '@/ui'
import type { Bar } from './calls'
import { barHeights, extended, hourLabels } from './strip'

export interface DayStripProps {
  bars: readonly Bar[]
  /** Undefined for another day than today. */
  now: Date | undefined
  hours: readonly [number, number] | undefined
  onHours: (hours: readonly [number, number] | undefined) => void
  /** Too narrow for more than the hours. */
  compact: boolean
}

/** The day in 24 bars, failures on top. Dragging, or Shift with the arrows, selects hours; a click on them lets go. */
export function DayStrip({ bars, now, hours, onHours, compact }: DayStripProps) {
  const { t } = useTranslation()
  const [current, setCurrent] = useState(now?.getHours() ?? 12)
  const [from, setFrom] = useState<number>()
  const heights = barHeights(bars)
  const press = (event: KeyboardEvent<HTMLElement>) => {
    const to = { ArrowLeft: current - 1, ArrowRight: current + 1, Home: 0, End: 23 }[event.key]
    if (event.key === 'Escape' && hours) onHours(undefined)
    if (to === undefined || to < 0 || to > 23) return
    event.preventDefault()
    if (event.shiftKey) onHours(extended(hours, current, to))
    setCurrent(to)
    event.currentTarget.querySelector<HTMLElement>(`[data-hour="${to}"]`)?.focus()
  }
  const enter = (hour: number) => (event: PointerEvent) =>
    from !== undefined && event.buttons === 1 && onHours([Math.min(from, hour), Math.max(from, hour)])
  return (
    <div className="px-[var(--px)] pb-2">
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys move between its buttons */}
      <div
        role="group"
        aria-label={t('activity.strip.label')}
        onKeyDown={press}
        className="grid h-10 grid-cols-[repeat(24,1fr)] items-end gap-[3px] border-b border-line"
      >
        {bars.map((bar, hour) => {
          const height = heights[hour] ?? { calls: 0, failures: 0 }
          return (
            <Tooltip key={hour} text={t('activity.strip.bar', { hour, calls: bar.calls, failures: bar.failures })}>
              <button
                type="button"
                data-hour={hour}
                tabIndex={hour === current ? 0 : -1}
                aria-pressed={within(hours, hour)}
                aria-label={t('activity.strip.bar', { hour, calls: bar.calls, failures: bar.failures })}
                onFocus={() => setCurrent(hour)}
                onClick={() => onHours(within(hours, hour) ? undefined : [hour, hour])}
                onPointerDown={() => setFrom(hour)}
                onPointerEnter={enter(hour)}
                className={clsx(
                  'flex h-full flex-col-reverse gap-px rounded-t-[2px]',
                  within(hours, hour) ? 'bg-selected' : 'hover:bg-hover',
                )}
              >
                <i
                  className={clsx('block rounded-t-[2px]', now?.getHours() === hour ? 'bg-accent' : 'bg-accent-line')}
                  style={{ height: height.calls }}
                />
                {bar.failures > 0 && (
                  <u className="block rounded-[1px] bg-danger no-underline" style={{ height: height.failures }} />
                )}
              </button>
            </Tooltip>
          )
        })}
      </div>
      <HourLabels now={now?.getHours()} compact={compact} />
    </div>
  )
}

function HourLabels({ now, compact }: { now: number | undefined; compact: boolean }) {
  const { t } = useTranslation()
  return (
    <div aria-hidden className="relative h-[19px] pt-[3px] text-caption text-ink-3">
      {hourLabels(now).map(({ hour, isNow }) => (
        <span key={hour} className="absolute whitespace-nowrap" style={{ left: `${(hour / 24) * 100}%` }}>
          {isNow && !compact ? t('activity.strip.now', { hour }) : t('activity.hour', { hour })}
        </span>
      ))}
    </div>
  )
}

function within(hours: DayStripProps['hours'], hour: number): boolean {
  return hours !== undefined && hour >= hours[0] && hour <= hours[1]
}
