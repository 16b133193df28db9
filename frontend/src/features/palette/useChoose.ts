import { useNavigate } from '@tanstack/react-router'
import { useActOnServer } from '@/features/connexions'
import { useStopAll } from '@/features/halt'
import { useChangeSetting } from '@/features/program'
import { useFailureWords } from '@/features/vocabulary'
import { useToast } from '@/ui'
import type { Choice } from './entries'

/** Does what a row says. */
export function useChoose(): (choice: Choice) => void {
  const navigate = useNavigate()
  const act = useActOnServer()
  const change = useChangeSetting()
  const stop = useStopAll()
  const toast = useToast()
  const words = useFailureWords()
  const failed = (error: unknown) => toast({ tone: 'danger', text: `${words(error).what} ${words(error).fix}` })
  return (choice) => {
    switch (choice.go) {
      case 'server':
        return void navigate({ to: '/servers/$id', params: { id: choice.id }, search: placeOf(choice) })
      case 'edit':
        return void navigate({ to: '/servers/$id/edit', params: { id: choice.id } })
      case 'test':
        return void navigate({ to: '/servers/$id/test', params: { id: choice.id } })
      case 'policy':
        return void navigate({ to: '/policy', search: { server: choice.server } })
      case 'activity':
        return void navigate({ to: '/activity', search: { server: choice.server } })
      case 'request':
        return void navigate({ to: '/inbox/$id', params: { id: choice.id } })
      case 'page':
        return void navigate({ to: choice.to })
      case 'stop': {
        stop()
        return
      }
      case 'verb': {
        act.mutate({ id: choice.id, verb: choice.verb }, { onError: failed })
        return
      }
      case 'setting': {
        change.mutate({ key: choice.key, value: choice.value }, { onError: failed })
        return
      }
    }
  }
}

const placeOf = ({ tab, tool }: Extract<Choice, { go: 'server' }>) => ({
  ...(tab === undefined ? {} : { tab }),
  ...(tool === undefined ? {} : { tool }),
})
