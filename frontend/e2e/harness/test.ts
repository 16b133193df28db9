import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test as base, type Page } from '@playwright/test'
import { Core } from './core'
import { Neighbour } from './neighbour'
import { behindSignIn, everything, fake, type Protected, type Running } from './servers'
import { Watch } from './watch'
import { wordsIn, type Lang, type Words } from './words'

interface Remotes {
  /** The addresses of the real "everything" server over Streamable HTTP and over SSE. */
  http: string
  sse: string
}

interface TestParts {
  lang: Lang
  /** Says what the interface says, in the language of the project. */
  t: Words
  /** What went wrong on the page; a test passes only when that is nothing. */
  watch: Watch
  core: Core
  /** The page of a browser that has signed in to core. */
  app: Page
  /** Starts a fake server for this test. */
  startFake: (transport: 'http' | 'sse', ...flags: string[]) => Promise<string>
  /** Starts a fake server that wants a sign-in, for this test; its flags are those of oauthfake. */
  startLocked: (...flags: string[]) => Promise<Protected>
  locked: Protected
  /** Another computer on a network with this one. */
  neighbour: Neighbour
}

interface WorkerParts {
  remotes: Remotes
}

function runFolder(): string {
  const folder = process.env.APOLLIA_E2E_FOLDER
  if (folder === undefined) throw new Error('the folder of the run is made by whole-run.ts')
  return folder
}

export const test = base.extend<TestParts, WorkerParts>({
  lang: async ({ locale }, use) => use(locale?.startsWith('fr') ? 'fr' : 'en'),
  t: async ({ lang }, use) => use(await wordsIn(lang)),
  watch: [
    async ({ page }, use) => {
      const watch = new Watch()
      await watch.follow(page)
      await use(watch)
      expect(watch.complaints).toEqual([])
    },
    { auto: true },
  ],
  core: async ({}, use) => {
    const core = await new Core(runFolder()).start()
    await use(core)
    await core.close()
  },
  app: async ({ page, core, watch }, use) => {
    expect(watch.complaints).toEqual([])
    await page.goto(core.signInUrl)
    // That page goes on by itself, which would interrupt whatever a test opens next.
    await page.waitForURL((url) => url.pathname === '/')
    await use(page)
    watch.stop() // from here on the core goes, which the page rightly complains about
  },
  neighbour: async ({}, use, { parallelIndex }) => {
    const neighbour = new Neighbour(parallelIndex)
    await use(neighbour)
    await neighbour.end()
  },
  startFake: async ({}, use) => {
    const started: Running[] = []
    await use(async (transport, ...flags) => {
      const one = await fake(transport, ...flags)
      started.push(one)
      return one.url
    })
    await Promise.all(started.map((one) => one.end()))
  },
  startLocked: async ({}, use) => {
    const started: Protected[] = []
    await use(async (...flags) => {
      const one = await behindSignIn(...flags)
      started.push(one)
      return one
    })
    await Promise.all(started.map((one) => one.end()))
  },
  locked: async ({ startLocked }, use) => use(await startLocked('-rotate')),
  remotes: [
    async ({}, use) => {
      const home = mkdtempSync(join(runFolder(), 'remotes-'))
      const [http, sse] = await Promise.all([everything('streamableHttp', home), everything('sse', home)])
      await use({ http: http.url, sse: sse.url })
      await Promise.all([http.end(), sse.end()])
      rmSync(home, { recursive: true })
    },
    { scope: 'worker' },
  ],
})

export { expect }
