export type Theme = 'system' | 'light' | 'dark'

const dark = () => matchMedia('(prefers-color-scheme: dark)')

/** Shows a theme and keeps it for the next start, where public/theme.js reads it before the first paint. */
export function applyTheme(theme: Theme): () => void {
  localStorage.setItem('apollia.theme', theme)
  const show = () => {
    const isDark = theme === 'dark' || (theme === 'system' && dark().matches)
    document.documentElement.dataset.theme = isDark ? 'dark' : 'light'
  }
  show()
  const system = dark()
  system.addEventListener('change', show)
  return () => system.removeEventListener('change', show)
}
