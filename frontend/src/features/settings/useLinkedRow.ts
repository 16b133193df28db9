import { useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'

/** Brings the row that the address names into view, with the focus on its control. */
export function useLinkedRow(ready: boolean): void {
  const { row } = useSearch({ from: '/shell/settings' })
  useEffect(() => {
    if (!ready || row === undefined) return
    const rows = [...document.querySelectorAll<HTMLElement>('[data-setting]')]
    const control = rows.find(({ dataset }) => dataset.setting === row)?.querySelector<HTMLElement>('input, button')
    control?.scrollIntoView({ block: 'center' })
    control?.focus()
  }, [ready, row])
}
