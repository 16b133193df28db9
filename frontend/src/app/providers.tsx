import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { usePreferences } from '@/features/program'
import { isUnreachable } from '@/lib/api'
import { setLanguage } from '@/lib/i18n'
import { ToastProvider, TooltipProvider } from '@/ui'
import { followChanges } from './changes'
import { makeRouter } from './router'
import { applyTheme } from './theme'

const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // The core is on this computer: only silence is worth another try, and the page says when that is.
      retry: false,
      refetchInterval: ({ state }) => (isUnreachable(state.error) ? 5_000 : false),
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
})
const router = makeRouter()

export function Providers() {
  const { t } = useTranslation()
  return (
    <QueryClientProvider client={client}>
      <TooltipProvider delayDuration={400}>
        <ToastProvider label={t('shell.messages')} closeLabel={t('common.close')}>
          <Preferences />
          <RouterProvider router={router} />
        </ToastProvider>
      </TooltipProvider>
    </QueryClientProvider>
  )
}

/** Follows the core's changes, and the person's language and theme. */
function Preferences() {
  const { language, theme } = usePreferences()
  useEffect(() => followChanges(client), [])
  useEffect(() => setLanguage(language), [language])
  useEffect(() => applyTheme(theme), [theme])
  return null
}
