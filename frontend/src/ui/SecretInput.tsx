import { Eye, KeyRound } from 'lucide-react'
import { useState, type ClipboardEvent } from 'react'
import { Icon } from './Icon'
import { masked } from './secret'
import { TextInput, type TextInputProps } from './TextInput'

export interface SecretInputProps extends Omit<TextInputProps, 'value' | 'onChange' | 'type' | 'after'> {
  value: string
  onChange: (value: string) => void
  /** The accessible name of the eye; the secret shows only while it is held. */
  showLabel: string
  /** Without the key in front, as in rows. */
  bare?: boolean
}

/** A secret: dots from the first character; the last four are shown once the field is left. */
export function SecretInput({ value, onChange, showLabel, bare = false, onBlur, ...rest }: SecretInputProps) {
  const [held, setHeld] = useState(false)
  const [editing, setEditing] = useState(false)
  const release = () => setHeld(false)
  const kept = (event: ClipboardEvent) => {
    if (!held) event.preventDefault()
  }
  return (
    <TextInput
      {...rest}
      {...(bare ? {} : { icon: KeyRound })}
      code
      type={editing && !held ? 'password' : 'text'}
      autoComplete="new-password"
      value={editing || held ? value : masked(value)}
      onCopy={kept}
      onCut={kept}
      onFocus={() => setEditing(true)}
      onBlur={(event) => {
        setEditing(false)
        onBlur?.(event)
      }}
      onChange={(event) => onChange(event.target.value)}
      after={
        <button
          type="button"
          aria-label={showLabel}
          aria-pressed={held}
          onPointerDown={(event) => {
            event.preventDefault()
            setHeld(true)
          }}
          onPointerUp={release}
          onPointerLeave={release}
          onKeyDown={(event) => {
            if (event.key === ' ' || event.key === 'Enter') setHeld(true)
          }}
          onKeyUp={release}
          onBlur={release}
          className="-mr-1.5 grid size-7 flex-none place-items-center rounded-control text-ink-3 hover:bg-hover"
        >
          <Icon of={Eye} size={15} />
        </button>
      }
    />
  )
}
