import { Wizard } from '@/features/wizard'

export default function AddRoute() {
  return <Wizard />
}
