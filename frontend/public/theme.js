// Runs before the first paint, so that a dark theme never flashes white. app/theme.ts takes over from here.
;(function () {
  var chosen = null
  try {
    chosen = localStorage.getItem('apollia.theme')
  } catch {
    // Storage can be closed to us; the system's theme is right then.
  }
  var dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset.theme = dark ? 'dark' : 'light'
})()
