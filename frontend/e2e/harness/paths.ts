import { resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../../..')

/** Where the project is, and what the tests start or leave behind; all of it is built before they run. */
export const frontend = resolve(root, 'frontend')
export const apollia = process.env.APOLLIA_BIN ?? resolve(root, 'build/bin/apollia')
export const fakeServer = resolve(root, 'build/cache/bin/mcpfake')
export const fakeNeighbour = resolve(root, 'build/cache/bin/lanfake')
export const fakeSignIn = resolve(root, 'build/cache/bin/oauthfake')
export const npmServers = resolve(root, 'build/servers/node_modules/.bin')
export const outputFolder = resolve(root, 'build/cache/e2e')
export const screenshotFolder = resolve(root, 'build/screenshots')
