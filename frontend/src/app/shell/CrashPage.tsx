import type { ErrorComponentProps } from '@tanstack/react-router'
import { Copy, RotateCw } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button, Code, EmptyState, Socket } from '@/ui'

/** A page failed to draw. Nothing that was saved is touched; reloading starts again from the core's state. */
export function CrashPage({ error }: ErrorComponentProps) {
  const { t } = useTranslation()
  const cause = error instanceof Error ? error : new Error(String(error))
  const report = `${cause.message}\n${cause.stack ?? ''}`
  return (
    <main className="grid h-full place-items-center bg-canvas p-6" role="alert">
      <EmptyState
        page
        mark={<Socket shape="stopped" tone="danger" size={24} />}
        title={t('crash.title')}
        actions={
          <>
            <Button look="ghost" icon={Copy} onClick={() => void navigator.clipboard.writeText(report)}>
              {t('crash.copy')}
            </Button>
            <Button look="primary" icon={RotateCw} onClick={() => location.reload()}>
              {t('crash.reload')}
            </Button>
          </>
        }
      >
        {t('crash.body')}
        <Code wrap className="mt-3 max-h-40 text-left">
          {`${cause.name}: ${cause.message}`}
        </Code>
      </EmptyState>
    </main>
  )
}
