import clsx from 'clsx'
import { Popover } from 'radix-ui'
import { useId, useState, type KeyboardEvent } from 'react'
import { TextInput, type TextInputProps } from './TextInput'

export interface ComboboxProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  value: string
  onChange: (value: string) => void
  suggestions: readonly string[]
}

/** A text with suggestions; anything else may be typed as well. */
export function Combobox({ value, onChange, suggestions, onKeyDown, onBlur, ...rest }: ComboboxProps) {
  const list = useId()
  const [open, setOpen] = useState(false)
  const [at, setAt] = useState(-1)
  const wanted = value.toLowerCase()
  const matches = suggestions.filter((text) => text.toLowerCase().includes(wanted) && text !== value).slice(0, 50)
  const shown = open && matches.length > 0
  const take = (text: string) => {
    onChange(text)
    setOpen(false)
    setAt(-1)
  }
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    const chosen = matches[at]
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      setOpen(true)
      const step = event.key === 'ArrowDown' ? 1 : -1
      setAt((now) => Math.min(Math.max(now + step, 0), matches.length - 1))
    } else if (event.key === 'Enter' && shown && chosen !== undefined) {
      event.preventDefault()
      take(chosen)
    } else if (event.key === 'Escape' && shown) {
      event.stopPropagation()
      setOpen(false)
    } else onKeyDown?.(event)
  }
  return (
    <Popover.Root open={shown} onOpenChange={setOpen}>
      <Popover.Anchor asChild>
        <div>
          <TextInput
            {...rest}
            role="combobox"
            aria-expanded={shown}
            aria-controls={list}
            aria-autocomplete="list"
            aria-activedescendant={shown && at >= 0 ? `${list}-${at}` : undefined}
            value={value}
            onChange={(event) => {
              onChange(event.target.value)
              setOpen(true)
              setAt(-1)
            }}
            onKeyDown={press}
            onBlur={(event) => {
              setOpen(false)
              onBlur?.(event)
            }}
          />
        </div>
      </Popover.Anchor>
      <Popover.Portal>
        <Popover.Content
          id={list}
          role="listbox"
          align="start"
          sideOffset={4}
          onOpenAutoFocus={(event) => event.preventDefault()}
          className="z-50 max-h-64 w-[var(--radix-popover-trigger-width)] animate-rise overflow-auto rounded-lg bg-raised p-1 shadow-menu"
        >
          {matches.map((text, n) => (
            // eslint-disable-next-line jsx-a11y/click-events-have-key-events -- keys go to the input, as in every combobox
            <div
              key={text}
              id={`${list}-${n}`}
              role="option"
              aria-selected={n === at}
              tabIndex={-1}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => take(text)}
              className={clsx(
                'flex h-8 items-center truncate rounded-control px-2 text-[13px]',
                n === at && 'bg-selected',
              )}
            >
              {text}
            </div>
          ))}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
