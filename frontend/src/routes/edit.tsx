import { useParams } from '@tanstack/react-router'
import { EditWizard } from '@/features/wizard'

export default function EditRoute() {
  const { id } = useParams({ from: '/servers/$id/edit' })
  return <EditWizard serverId={id} />
}
