import { PreferencesPage } from '@/features/preferences'

export default function PreferencesRoute() {
  return <PreferencesPage />
}
