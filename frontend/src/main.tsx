import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { makeClient, Providers } from '@/app/providers'
import { makeRouter } from '@/app/router'
import { startI18n, systemLanguage } from '@/lib/i18n'
import '@/styles/app.css'

startI18n(systemLanguage())
const root = document.getElementById('root')
if (root === null) throw new Error('the page has no #root')
createRoot(root).render(
  <StrictMode>
    <Providers client={makeClient()} router={makeRouter()} />
  </StrictMode>,
)
