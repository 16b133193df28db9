export { ConnexionsPage } from './ConnexionsPage'
export { useActOnServer, useAllTools, useServers } from './queries'
export { asSnippet, copyName, fold, isLocal, reachOf } from './rows'
