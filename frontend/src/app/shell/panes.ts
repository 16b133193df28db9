/** Moves the focus to the next pane of the page, in document order. Panes carry data-pane. */
export function focusPane(step: 1 | -1): void {
  const panes = [...document.querySelectorAll<HTMLElement>('[data-pane]')].filter((pane) => pane.offsetParent !== null)
  if (panes.length === 0) return
  const now = panes.findIndex((pane) => pane.contains(document.activeElement))
  const next = panes[(now + step + panes.length) % panes.length] ?? panes[0]
  const target = next?.querySelector<HTMLElement>(
    'a[href], button:not(:disabled), input, select, textarea, [tabindex="0"]',
  )
  ;(target ?? next)?.focus()
}

/** Focuses the search of the page, if it has one. */
export function focusSearch(): boolean {
  const search = document.querySelector<HTMLInputElement>('input[data-page-search]')
  search?.focus()
  search?.select()
  return search !== null
}
