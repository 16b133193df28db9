import { useNavigate, useSearch } from '@tanstack/react-router'
import { PolicyPage, type Why } from '@/features/policy'

const kinds = ['tool', 'resource', 'prompt'] as const

/** The question of "Pourquoi ?" is in the address, so that the inbox and the journal can ask it. */
export default function PolicyRoute() {
  const { server = '', name = '', kind, caller = 'window' } = useSearch({ from: '/shell/policy' })
  const navigate = useNavigate()
  const asked: Why = { server, name, caller, kind: kinds.find((known) => known === kind) ?? 'tool' }
  return (
    <PolicyPage asked={asked} onAsk={(why) => void navigate({ to: '/policy', search: { ...why }, replace: true })} />
  )
}
