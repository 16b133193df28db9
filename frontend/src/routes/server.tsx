import { useParams, useSearch } from '@tanstack/react-router'
import { ServerPage } from '@/features/server'

export default function ServerRoute() {
  const { id } = useParams({ from: '/shell/servers/$id' })
  const search = useSearch({ from: '/shell/servers/$id' })
  return <ServerPage key={id} id={id} search={search} />
}
