import { useState } from 'react'
import { onEnter } from './onEnter'
import { useSetting } from './useSetting'

/**
 * A setting as a field of text: what is typed is taken when the field is left or Enter is pressed, an empty one too.
 * written turns what was typed into the value to keep.
 */
export function useTypedText(key: string, written: (typed: string) => string = (typed) => typed) {
  const { setting, value, fixed, change } = useSetting(key)
  const [typed, setTyped] = useState<string>()
  const standard = setting?.default ?? ''
  const take = () => {
    const next = typed === undefined ? value : written(typed.trim())
    if (next !== value) change(next === standard ? undefined : next)
    setTyped(undefined)
  }
  return {
    setting,
    type: setTyped,
    /** Brings the default back; absent where it is there, empty or not ours to bring. */
    toStandard: standard !== '' && value !== standard && !fixed ? () => change(undefined) : undefined,
    field: { value: typed ?? value, readOnly: fixed, onBlur: take, onKeyDown: onEnter(take) },
  }
}
