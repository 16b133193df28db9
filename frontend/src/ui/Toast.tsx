import { X } from 'lucide-react'
import { Toast as Radix } from 'radix-ui'
import { createContext, useCallback, useContext, useMemo, useState, type ReactNode } from 'react'
import { Button } from './Button'
import { Icon } from './Icon'
import { Socket } from './Socket'
import type { Tone } from './tone'

export interface ToastMessage {
  text: ReactNode
  tone?: Tone
  /** One action, such as "undo". */
  action?: { label: string; run: () => void }
  /** Milliseconds it stays, 6 s by default. */
  stay?: number
}

const Say = createContext<(message: ToastMessage) => void>(() => undefined)

/** The function that shows a short message at the bottom of the window. */
export function useToast() {
  return useContext(Say)
}

const marks = { ok: 'done', danger: 'stopped', attn: 'hold' } as const

/** Shows toasts over its children, the latest at the bottom. */
export function ToastProvider({
  children,
  label,
  closeLabel,
}: {
  children: ReactNode
  label: string
  closeLabel: string
}) {
  const [toasts, setToasts] = useState<(ToastMessage & { key: number })[]>([])
  const say = useCallback((message: ToastMessage) => {
    setToasts((now) => [...now.slice(-2), { ...message, key: (now.at(-1)?.key ?? 0) + 1 }])
  }, [])
  const drop = (key: number) => setToasts((now) => now.filter((toast) => toast.key !== key))
  const value = useMemo(() => say, [say])
  return (
    <Radix.Provider label={label} duration={6000}>
      <Say value={value}>{children}</Say>
      {toasts.map(({ key, text, tone, action, stay }) => (
        <Radix.Root
          key={key}
          {...(stay === undefined ? {} : { duration: stay })}
          type={tone === 'danger' ? 'foreground' : 'background'}
          onOpenChange={(open) => open || drop(key)}
          className="pointer-events-auto flex animate-rise items-center gap-3 rounded-card bg-raised py-2 pr-2 pl-3.5 shadow-menu"
        >
          {tone && tone in marks && <Socket shape={marks[tone as keyof typeof marks]} tone={tone} />}
          <Radix.Description className="min-w-0 flex-1 text-small">{text}</Radix.Description>
          {action && (
            <Radix.Action altText={action.label} asChild>
              <Button small onClick={action.run}>
                {action.label}
              </Button>
            </Radix.Action>
          )}
          <Radix.Close
            aria-label={closeLabel}
            className="grid size-7 place-items-center rounded-control text-ink-3 hover:bg-hover"
          >
            <Icon of={X} size={14} />
          </Radix.Close>
        </Radix.Root>
      ))}
      <Radix.Viewport
        label={`${label} ({hotkey})`}
        className="pointer-events-none fixed bottom-[68px] left-1/2 z-50 flex w-[min(480px,calc(100vw-32px))] -translate-x-1/2 flex-col gap-2"
      />
    </Radix.Provider>
  )
}
