/** The control that follows another one inside a box. */
export function controlAfter(going: Element, box: Element | null): HTMLElement | undefined {
  const controls = [...(box?.querySelectorAll<HTMLElement>('button, input') ?? [])]
  return controls[controls.indexOf(going as HTMLElement) + 1]
}

/** Gives the focus on from a control that goes, or is gone. Whoever moved it elsewhere in the meantime keeps it there. */
export function passFocus(going: Element, next: HTMLElement | null | undefined): void {
  const { activeElement } = document
  if (activeElement === going || activeElement === document.body) next?.focus()
}
