import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { canSignIn, subjectOf, useBeginSignIn } from '@/features/signin'
import { useFailureWords } from '@/features/vocabulary'
import type { Server, ServerVerb } from '@/lib/api'
import { useToast } from '@/ui'
import type { Does } from './actions'
import { useActOnServer, useRemoveServer, useRestoreServer, useReviewServer } from './queries'
import { asSnippet } from './rows'

/** What can be done to a server from its row. Failures and undo are told in a toast. */
export function useRowActions() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const toast = useToast()
  const words = useFailureWords()
  const act = useActOnServer()
  const remove = useRemoveServer()
  const restore = useRestoreServer()
  const review = useReviewServer()
  const beginSignIn = useBeginSignIn()
  const failed = (error: unknown) => {
    const { what, fix } = words(error)
    toast({ tone: 'danger', text: `${what} ${fix}` })
  }
  const verb = (server: Server, name: ServerVerb) => act.mutate({ id: server.id, verb: name }, { onError: failed })
  const page = (server: Server, tab?: string) =>
    void navigate({ to: '/servers/$id', params: { id: server.id }, search: tab === undefined ? {} : { tab } })
  const test = (server: Server) => void navigate({ to: '/servers/$id/test', params: { id: server.id } })
  const edit = (server: Server, step?: 'auth') =>
    void navigate({ to: '/servers/$id/edit', params: { id: server.id }, search: step === undefined ? {} : { step } })
  const card = (id: string) => void navigate({ to: '/inbox/$id', params: { id } })
  const reviewed = (server: Server) => {
    const waiting = server.reason?.args?.request_id ?? server.held_by
    if (waiting) card(waiting)
    else if (server.unconfirmed) review.mutate(server.id, { onError: failed, onSuccess: ({ id }) => card(id) })
    else void navigate({ to: '/inbox' })
  }
  const perform: Record<Does, (server: Server) => void> = {
    move: (server) => page(server),
    try: (server) => page(server),
    cancel: (server) => verb(server, 'disconnect'),
    // A key that was refused is given again; anything else is a matter of the browser.
    'sign-in': (server) => (canSignIn(server) ? beginSignIn(subjectOf(server)) : edit(server, 'auth')),
    review: reviewed,
    log: (server) => page(server, 'logs'),
    diagnose: test,
    connect: (server) => verb(server, 'connect'),
  }
  const undo = (server: Server) => restore.mutate(server.id, { onError: failed })
  return {
    open: page,
    test,
    edit,
    perform: (does: Does, server: Server) => perform[does](server),
    switchTo: (server: Server, on: boolean) => verb(server, on ? 'enable' : 'disable'),
    reconnect: (server: Server) => verb(server, 'reconnect'),
    duplicate: (server: Server) => void navigate({ to: '/add', search: { from: server.id } }),
    copy: (server: Server) =>
      void navigator.clipboard
        .writeText(asSnippet(server))
        .then(() => toast({ tone: 'ok', text: t('connexions.copied', { name: server.name }) })),
    remove: (server: Server) =>
      remove.mutate(server.id, {
        onError: failed,
        onSuccess: () =>
          toast({
            text: t('connexions.removed', { name: server.name }),
            action: { label: t('common.undo'), run: () => undo(server) },
            stay: 10_000,
          }),
      }),
  }
}

export type RowActions = ReturnType<typeof useRowActions>
