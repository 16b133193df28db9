import { mkdtempSync, readdirSync, rmSync, existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { apollia, fakeServer, fakeSignIn, npmServers } from './paths'

/** One folder for all that the tests write; at the end it must be empty, since each test clears up its own. */
export default function wholeRun(): () => void {
  for (const needed of [apollia, fakeServer, fakeSignIn, npmServers]) {
    if (!existsSync(needed)) throw new Error(`${needed} is missing: the browser tests run after "make build"`)
  }
  const folder = mkdtempSync(join(tmpdir(), 'apollia-e2e-'))
  process.env.APOLLIA_E2E_FOLDER = folder
  return () => {
    const left = readdirSync(folder)
    rmSync(folder, { recursive: true })
    if (left.length > 0) throw new Error(`the tests left behind: ${left.join(', ')}`)
  }
}
