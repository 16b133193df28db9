import type { ReactNode } from 'react'
import { ConfigFileBadge } from '@/features/vocabulary'
import type { Setting } from '@/lib/api'

export interface SettingRowProps {
  name: ReactNode
  note?: ReactNode
  /** Says where the value comes from; what config.toml says is changed there. */
  setting?: Setting | undefined
  children?: ReactNode
}

/** A name, at most one line, one control. */
export function SettingRow({ name, note, setting, children }: SettingRowProps) {
  return (
    <div data-setting={setting?.key} className="flex min-h-12 items-center gap-3 px-3.5 py-[9px]">
      <div className="min-w-0 flex-1">
        <div className="font-medium">{name}</div>
        {note !== undefined && <div className="text-small break-words text-ink-3">{note}</div>}
      </div>
      {setting && isInFile(setting) && <ConfigFileBadge line={setting.line} />}
      {children}
    </div>
  )
}

export const isInFile = ({ from }: Setting) => from === 'config.toml'
