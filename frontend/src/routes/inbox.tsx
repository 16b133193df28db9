import { useParams } from '@tanstack/react-router'
import { InboxPage } from '@/features/inbox'

export default function InboxRoute() {
  const { id } = useParams({ strict: false })
  return <InboxPage id={id} />
}
