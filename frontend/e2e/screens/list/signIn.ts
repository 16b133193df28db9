import type { Page } from '@playwright/test'
import { reports, servers, signIns, streams } from '../fixtures'
import { Refusal, type Answers } from '../pretend'
import type { Screen } from '../screen'
import { fails, mentions, presses, says, shows, then, type Reach } from './reach'
import { atParameters, chooses, remote, reporting } from './wizard'

const notion = '/servers/notion'
const settings = '/servers/github?tab=settings'
const waits: Answers = { 'GET /api/servers/notion/sign-in': { waiting: signIns.waiting } }
const refused = (error: (typeof signIns)['portBusy']): Answers => ({ 'POST /api/sign-ins': new Refusal(error, 409) })
const ends = (how: unknown): Answers => ({ 'GET /api/sign-ins/*': how })
const github = (state: unknown): Answers => ({
  'GET /api/servers/github': { ...servers.named('github'), auth: { type: 'oauth', client_id: 'Iv1.8a61f9b3a7aba766' } },
  'GET /api/servers/github/sign-in': state,
})
const moreRights = servers.failure(
  'more_rights_needed',
  { status: '403', scopes: 'repo:write, admin:org' },
  'Bearer error="insufficient_scope", scope="repo:write admin:org", resource_metadata="https://api.githubcopilot.com/.well-known/oauth-protected-resource/mcp/a/rather/long/path"',
)
const unsigned = { ...streams.toolError, result: undefined, is_error: false, error: moreRights }
const lacking = { ...servers.named('github'), state: 'degraded', reason: moreRights } as const

/** Stands for the browser's tab, so that nothing of the network is opened; or for a browser that lets none open. */
const tabs =
  (allowed: boolean): Reach =>
  (page: Page) =>
    page.evaluate((opens) => {
      const tab = {
        opener: null,
        closed: false,
        document: document.implementation.createHTMLDocument(),
        location: { replace: () => 0 },
        close: () => 0,
      }
      window.open = () => (opens ? (tab as unknown as Window) : null)
    }, allowed)
const begins = (allowed = true): Reach => then(tabs(allowed), presses('connexions.actions.sign-in'))
const opensSpecial = presses('signIn.fields.advanced')
const listed = shows('meteo-labo')

/** Signing in by browser, in every state and every place. */
export const signIn: Screen[] = [
  { name: 'signin-waiting', path: '/', answers: waits, reach: says('signIn.waiting') },
  { name: 'signin-blocked', path: '/', reach: then(listed, begins(false), says('signIn.blocked')) },
  {
    name: 'signin-port-busy',
    path: '/',
    answers: refused(signIns.portBusy),
    reach: then(listed, begins(), says('signIn.next.port')),
  },
  {
    name: 'signin-client-needed',
    path: '/',
    answers: refused(signIns.clientNeeded),
    reach: then(listed, begins(), says('signIn.redirect')),
  },
  { name: 'signin-too-late', path: '/', answers: ends(signIns.tooLate), reach: then(listed, begins(), fails) },
  { name: 'signin-denied', path: '/', answers: ends(signIns.denied), reach: then(listed, begins(), fails) },
  { name: 'signin-server-waiting', path: notion, answers: waits, reach: says('signIn.waiting') },
  {
    name: 'signin-server-failed',
    path: `${notion}?tab=logs`,
    answers: ends(signIns.tooLate),
    reach: then(begins(), fails),
  },
  {
    name: 'signin-call',
    path: '/servers/github?tool=search_issues',
    answers: { 'POST /api/calls': unsigned, 'GET /api/calls/*': unsigned, 'GET /api/servers/github': lacking },
    reach: then(
      (page) => page.getByRole('tabpanel').getByLabel('Recherche').fill('label:bug'),
      presses('server.form.call'),
      fails,
    ),
  },
  {
    name: 'signin-more-rights',
    path: '/',
    answers: {
      'GET /api/servers': {
        servers: servers.servers.map((one) =>
          one.name === 'github' ? { ...one, state: 'degraded', reason: moreRights } : one,
        ),
      },
      'GET /api/servers/github/sign-in': {
        waiting: {
          ...signIns.waiting,
          server: 'github',
          scopes: ['openid', 'offline_access', 'repo', 'repo:write', 'admin:org'],
        },
      },
    },
    reach: mentions('signIn.asks'),
  },
  { name: 'signin-signed', path: settings, answers: github(signIns.signed), reach: says('signIn.signOut') },
  { name: 'signin-nobody', path: settings, answers: github({}), reach: says('signIn.nobody') },
  {
    name: 'signin-client',
    path: settings,
    answers: github(signIns.signed),
    reach: then(presses('wizard.tokenAuth.show'), opensSpecial, says('signIn.fields.provider')),
  },
  {
    name: 'signin-client-others',
    path: settings,
    answers: {
      'GET /api/servers/github': { ...servers.named('github'), auth: signIns.enterprise },
      'GET /api/servers/github/sign-in': signIns.signed,
    },
    reach: then(presses('wizard.tokenAuth.show'), (page) => page.getByText('idp_token_url').scrollIntoViewIfNeeded()),
  },
  {
    name: 'signin-signing-out',
    path: settings,
    answers: github(signIns.signed),
    reach: then(presses('signIn.signOut'), mentions('signIn.signOutMore')),
  },
  {
    name: 'signin-wizard-client',
    path: '/add',
    reach: then(remote, chooses('wizard.auth.oauth.name'), presses('wizard.auth.oauth.client'), opensSpecial),
  },
  {
    name: 'signin-wizard-waiting',
    path: '/add',
    answers: reporting(reports.signInRemote),
    reach: then(
      remote,
      presses('wizard.continue'),
      (page, t) => page.getByLabel(t('wizard.name'), { exact: true }).fill('acme-internal'),
      (page, t) => page.getByLabel(t('wizard.url'), { exact: true }).fill('https://mcp.acme.internal/mcp'),
      presses('wizard.test.go'),
      says('wizard.test.todo'),
      tabs(true),
      presses('wizard.fixes.signIn.button'),
      says('signIn.waiting'),
    ),
  },
  {
    name: 'signin-wizard-token',
    path: '/add',
    reach: then(
      atParameters,
      presses('wizard.advanced.title'),
      presses('wizard.tokenAuth.show'),
      says('signIn.fields.envTokenVar'),
    ),
  },
]
