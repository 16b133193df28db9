import { useEffect } from 'react'

/** The window's title, with the number of requests that wait in front. */
export function titleOf(waiting: number): string {
  return waiting > 0 ? `(${waiting}) Apollia Connexions` : 'Apollia Connexions'
}

export function useDocumentTitle(waiting: number): void {
  useEffect(() => {
    document.title = titleOf(waiting)
  }, [waiting])
}
