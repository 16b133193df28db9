import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { changeSetting, getStatus, listSettings, type Setting } from '@/lib/api'
import { preferencesOf } from './preferences'

/** Who runs, what is ready and what waits. */
export const useStatus = () => useQuery({ queryKey: ['status'], queryFn: ({ signal }) => getStatus(signal) })

export const useSettings = () => useQuery({ queryKey: ['settings'], queryFn: ({ signal }) => listSettings(signal) })

/** Whether a setting is switched on; false while the settings are on their way. */
export const useIsOn = (wanted: string) =>
  useSettings().data?.some(({ key, value }) => key === wanted && value === 'true') === true

/** What a person chose for the interface itself; the system's choice until the settings have come. */
export function usePreferences() {
  return preferencesOf(useSettings().data ?? [])
}

/** Changes of settings, and what depends on them, happen one after the other. */
export const settingsScope = { id: 'settings' }

/** Changes one setting at once; a refused change goes back. */
export function useChangeSetting() {
  const client = useQueryClient()
  return useMutation({
    scope: settingsScope,
    mutationFn: ({ key, value }: { key: string; value: string | undefined }) => changeSetting(key, value),
    onMutate: ({ key, value }) => {
      const before = client.getQueryData<Setting[]>(['settings'])
      client.setQueryData<Setting[]>(['settings'], (now) =>
        now?.map((setting) => (setting.key === key ? { ...setting, value: value ?? setting.default } : setting)),
      )
      return { before }
    },
    onError: (_error, _change, context) => client.setQueryData(['settings'], context?.before),
    onSuccess: (settings) => client.setQueryData(['settings'], settings),
  })
}
