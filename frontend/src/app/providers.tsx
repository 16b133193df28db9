import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { usePreferences } from '@/features/program'
import { isUnreachable } from '@/lib/api'
import { setLanguage } from '@/lib/i18n'
import { ToastProvider, TooltipProvider } from '@/ui'
import { followChanges } from './changes'
import type { makeRouter } from './router'
import { applyTheme } from './theme'

/** What the interface remembers of the core. */
export const makeClient = () =>
  new QueryClient({
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

export interface ProvidersProps {
  client: QueryClient
  router: ReturnType<typeof makeRouter>
}

export function Providers({ client, router }: ProvidersProps) {
  const { t } = useTranslation()
  return (
    <QueryClientProvider client={client}>
      <TooltipProvider delayDuration={400}>
        <ToastProvider label={t('shell.messages')} closeLabel={t('common.close')}>
          <Preferences client={client} />
          <RouterProvider router={router} />
        </ToastProvider>
      </TooltipProvider>
    </QueryClientProvider>
  )
}

/** Follows the core's changes, and the person's language and theme. */
function Preferences({ client }: Pick<ProvidersProps, 'client'>) {
  const { language, theme } = usePreferences()
  useEffect(() => followChanges(client), [client])
  useEffect(() => setLanguage(language), [language])
  useEffect(() => applyTheme(theme), [theme])
  return null
}
