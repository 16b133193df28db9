import { ConnexionsPage } from '@/features/connexions'

export function ConnexionsRoute() {
  return <ConnexionsPage />
}
