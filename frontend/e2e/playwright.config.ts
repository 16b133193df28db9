import { defineConfig } from '@playwright/test'
import { outputFolder } from './harness/paths'

/** A bound for anything that is waited for, in milliseconds: long enough for a busy machine, never a sleep. */
const bound = 60_000

/** Chromium of the system; nothing is downloaded. */
const executablePath = process.env.APOLLIA_CHROMIUM ?? '/usr/bin/chromium'

const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
]

/** A test that says nothing in a language runs in French only. */
const saysNothing = /@once/

/** What takes pictures instead of asserting; "make screenshots" runs it. */
const pictures = '**/*screenshots.spec.ts'

export default defineConfig({
  testDir: '.',
  outputDir: `${outputFolder}/results`,
  globalSetup: './harness/whole-run.ts',
  fullyParallel: true,
  workers: 2,
  forbidOnly: true,
  timeout: 3 * bound,
  reporter: [['list']],
  expect: { timeout: bound },
  use: {
    viewport: { width: 1100, height: 760 },
    colorScheme: 'light',
    reducedMotion: 'reduce',
    actionTimeout: bound,
    navigationTimeout: bound,
    screenshot: 'only-on-failure',
    launchOptions: { executablePath, args: quiet },
  },
  projects: [
    { name: 'fr', testIgnore: pictures, use: { locale: 'fr-FR' } },
    { name: 'en', testIgnore: pictures, grepInvert: saysNothing, use: { locale: 'en-GB' } },
    { name: 'screenshots', testMatch: pictures, use: { locale: 'fr-FR' } },
  ],
})
