import { ExplorerPage } from '@/features/explorer'

export default function ExplorerRoute() {
  return <ExplorerPage />
}
