import { useSearch } from '@tanstack/react-router'
import { ActivityPage } from '@/features/activity'

export default function ActivityRoute() {
  return <ActivityPage search={useSearch({ from: '/shell/activity' })} />
}
