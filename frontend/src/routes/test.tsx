import { useParams } from '@tanstack/react-router'
import { TestPage } from '@/features/wizard'

export default function TestRoute() {
  const { id } = useParams({ from: '/servers/$id/test' })
  return <TestPage serverId={id} />
}
