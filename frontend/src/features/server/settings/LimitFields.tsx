import { FolderOpen, Plus, X } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { native } from '@/lib/native'
import { Button, IconButton, NumberInput, Switch, TextInput } from '@/ui'
import { defaults, type LimitProblem, type Limits } from './limits'

export interface LimitFieldsProps {
  limits: Limits
  onLimits: (limits: Limits) => void
  problems: readonly LimitProblem[]
  /** A program of this computer, which has an environment. */
  local: boolean
  readOnly: boolean
}

/** Time, size, approval, folders, environment: one row each. */
export function LimitFields({ limits, onLimits, problems, local, readOnly }: LimitFieldsProps) {
  const { t } = useTranslation()
  const set = (change: Partial<Limits>) => {
    if (!readOnly) onLimits({ ...limits, ...change })
  }
  const numbers = [
    { key: 'timeout', unit: t('server.settings.seconds') },
    { key: 'buffer', unit: t('server.settings.mib') },
  ] as const
  return (
    <>
      {numbers.map(({ key, unit }) => (
        <Row
          key={key}
          name={t(`server.settings.${key}`)}
          note={problems.includes(key) ? t(`server.settings.${key}Wrong`) : t(`server.settings.${key}More`)}
          wrong={problems.includes(key)}
        >
          <NumberInput
            aria-label={t(`server.settings.${key}`)}
            aria-invalid={problems.includes(key)}
            readOnly={readOnly}
            value={limits[key]}
            placeholder={String(defaults[key])}
            unit={unit}
            onChange={(value) => set({ [key]: value })}
            frameClassName="w-32"
          />
        </Row>
      ))}
      <Row name={t('server.settings.approval')} note={t('server.settings.approvalMore')}>
        <Switch
          on={limits.verdict !== 'allow'}
          inactive={readOnly}
          label={t('server.settings.approval')}
          onChange={(on) => set({ verdict: on ? 'ask' : 'allow' })}
        />
      </Row>
      {local && (
        <Row name={t('server.settings.inheritEnv')} note={t('server.settings.inheritEnvMore')}>
          <Switch
            on={limits.inheritEnv}
            inactive={readOnly}
            label={t('server.settings.inheritEnv')}
            onChange={(inheritEnv) => set({ inheritEnv })}
          />
        </Row>
      )}
      <Roots roots={limits.roots} readOnly={readOnly} onRoots={(roots) => set({ roots })} />
    </>
  )
}

interface RowProps {
  name: string
  note: string
  wrong?: boolean
  children: ReactNode
}

function Row({ name, note, wrong = false, children }: RowProps) {
  return (
    <div className="flex min-h-12 items-center gap-3 px-3.5 py-[9px]">
      <div className="min-w-0 flex-1">
        <div className="font-medium">{name}</div>
        <div className={wrong ? 'text-small text-danger-text' : 'text-small text-ink-3'}>{note}</div>
      </div>
      {children}
    </div>
  )
}

/** The folders the server is told of. Telling is not locking in. */
function Roots({
  roots,
  readOnly,
  onRoots,
}: {
  roots: readonly string[]
  readOnly: boolean
  onRoots: (roots: string[]) => void
}) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  const choose = native('ChooseFolder')
  const add = (folder: string) => {
    if (folder.trim() === '' || roots.includes(folder.trim())) return
    onRoots([...roots, folder.trim()])
    setTyped('')
  }
  return (
    <div className="px-3.5 py-[9px]">
      <div className="font-medium">{t('server.settings.roots')}</div>
      <div className="text-small text-ink-3">{t('server.settings.rootsMore')}</div>
      <ul className="mt-1.5 flex flex-wrap gap-1.5">
        {roots.map((root) => (
          <li
            key={root}
            className="inline-flex h-7 items-center gap-1 rounded-[14px] border border-line bg-surface pr-0.5 pl-2.5 text-small"
          >
            <span className="mono">{root}</span>
            {!readOnly && (
              <IconButton
                icon={X}
                size={13}
                className="size-6!"
                label={t('server.settings.removeRoot', { root })}
                onClick={() => onRoots(roots.filter((other) => other !== root))}
              />
            )}
          </li>
        ))}
      </ul>
      {!readOnly && (
        <form
          className="mt-2 flex gap-1.5"
          onSubmit={(event) => {
            event.preventDefault()
            add(typed)
          }}
        >
          <TextInput
            code
            frameClassName="flex-1"
            aria-label={t('server.settings.newRoot')}
            placeholder={t('server.settings.newRoot')}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
          {choose && (
            <IconButton
              icon={FolderOpen}
              look="plain"
              className="size-8!"
              label={t('server.settings.chooseFolder')}
              onClick={() => void choose(t('server.settings.newRoot')).then(add)}
            />
          )}
          <Button type="submit" icon={Plus} inactive={typed.trim() === ''}>
            {t('server.settings.addRoot')}
          </Button>
        </form>
      )}
    </div>
  )
}
