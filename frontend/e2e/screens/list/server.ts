import { expect } from '@playwright/test'
import { program, reports, servers, streams, tools } from '../fixtures'
import { broken, never, Refusal, type Answers } from '../pretend'
import type { Screen } from '../screen'
import { fails, loads, presses, says, shows, then, type Reach } from './reach'

const github = '/servers/github'
const search = `${github}?tool=search_issues`
const one = (more: Partial<(typeof servers.servers)[number]>): Answers => ({
  'GET /api/servers/github': { ...servers.named('github'), ...more },
})
const calling = (call: unknown): Answers => ({ 'POST /api/calls': call, 'GET /api/calls/*': call })

const called: Reach = async (page, t) => {
  await page.getByRole('tabpanel').getByLabel('Recherche').fill('label:bug is:open facture')
  await page.getByRole('button', { name: t('server.form.call') }).click()
}

export const server: Screen[] = [
  { name: 'server-tools', path: search, reach: shows('search_issues') },
  {
    name: 'server-tools-held',
    path: `${github}?tool=merge_pull_request`,
    answers: one({ held_tools: 1 }),
    reach: says('server.tools.review'),
  },
  { name: 'server-tools-called', path: search, reach: then(called, says('server.result.outcomes.succeeded')) },
  {
    name: 'server-tools-tree',
    path: search,
    reach: then(called, says('server.result.outcomes.succeeded'), says('server.result.views.tree'), (page, t) =>
      page.getByRole('radio', { name: t('server.result.views.tree') }).click(),
    ),
  },
  {
    name: 'server-tools-failed',
    path: search,
    answers: calling(streams.toolError),
    reach: then(called, says('server.result.outcomes.tool_error')),
  },
  {
    name: 'server-tools-waiting',
    path: search,
    answers: calling(streams.waitingCall),
    reach: then(called, says('inbox.answers.deny')),
  },
  {
    name: 'server-tools-running',
    path: search,
    answers: calling(streams.runningCall),
    reach: then(called, says('server.result.cancel')),
  },
  {
    name: 'server-tools-json',
    path: search,
    reach: (page, t) => page.getByRole('radio', { name: t('server.form.json') }).click(),
  },
  {
    name: 'server-tools-invalid',
    path: search,
    reach: then(presses('server.form.call'), says('server.form.toCorrect', { count: 1 })),
  },
  { name: 'server-tools-loading', path: github, answers: { 'GET /api/servers/*/tools': never }, reach: loads },
  {
    name: 'server-tools-error',
    path: github,
    answers: { 'GET /api/servers/*/tools': broken },
    reach: fails,
    complains: /500/,
  },
  {
    name: 'server-tools-empty',
    path: github,
    answers: { ...one({ tools: 0 }), 'GET /api/servers/*/tools': { tools: [] } },
    reach: says('server.tools.none'),
  },
  {
    name: 'server-tools-hundred',
    path: github,
    answers: { ...one({ tools: 100 }), 'GET /api/servers/*/tools': { tools: tools.hundredTools } },
    reach: shows('tool_number_4'),
  },
  {
    name: 'server-tools-notannounced',
    path: `${github}?tab=tools`,
    answers: one({ tools: 0, capabilities: { prompts: {} } }),
    reach: says('server.notAnnounced.tools'),
  },
  {
    name: 'server-tools-stopped',
    path: '/servers/postgres_compta',
    answers: { 'GET /api/servers/*/tools': broken },
    reach: says('connexions.actions.diagnose'),
    complains: /500/,
  },
  { name: 'server-loading', path: github, answers: { 'GET /api/servers/github': never }, reach: loads },
  {
    name: 'server-gone',
    path: '/servers/gone',
    answers: { 'GET /api/servers/gone': new Refusal(servers.failure('unknown_server', { server: 'gone' }), 404) },
    reach: fails,
  },
  { name: 'server-resources', path: `${github}?tab=resources`, reach: shows('README.md') },
  {
    name: 'server-resources-read',
    path: `${github}?tab=resources`,
    answers: calling(streams.readme),
    reach: then(presses('server.resources.read'), says('server.result.outcomes.succeeded')),
  },
  { name: 'server-prompts', path: `${github}?tab=prompts`, reach: shows('review_pull_request') },
  {
    name: 'server-prompts-odd',
    path: `${github}?tab=prompts`,
    answers: {
      ...one(tools.oddInstructions),
      'GET /api/servers/*/prompts': {
        prompts: tools.prompts.map((prompt, n) => (n === 0 ? { ...prompt, findings: tools.odd } : prompt)),
      },
    },
    reach: says('findings.title', { count: 2 }),
  },
  {
    name: 'server-prompts-run',
    path: `${github}?tab=prompts`,
    answers: calling(streams.review),
    reach: then(
      shows('weekly_report'),
      (page) => page.getByRole('button', { name: 'weekly_report' }).click(),
      presses('server.prompts.run'),
      says('server.result.outcomes.succeeded'),
    ),
  },
  { name: 'server-logs', path: `${github}?tab=logs`, reach: shows('GET /repos/acme/atlas-web/branches 200 314 ms') },
  {
    name: 'server-logs-empty',
    path: `${github}?tab=logs`,
    answers: { 'GET /api/servers/*/logs': { lines: [], next: 0 } },
    reach: says('server.log.none'),
  },
  {
    name: 'server-logs-error',
    path: `${github}?tab=logs`,
    answers: { 'GET /api/servers/*/logs': broken },
    reach: fails,
    complains: /500/,
  },
  {
    name: 'server-logs-hundred',
    path: `${github}?tab=logs`,
    answers: { 'GET /api/servers/*/logs': { lines: streams.hundredLines, next: 100 } },
    reach: (page) => expect(page.getByText('line 100', { exact: false })).toBeInViewport(),
  },
  { name: 'server-settings', path: `${github}?tab=settings`, reach: says('server.settings.limits') },
  {
    name: 'server-settings-changed',
    path: '/servers/filesystem?tab=settings',
    reach: then(
      (page, t) => page.getByLabel(t('server.settings.timeout'), { exact: true }).fill('45'),
      says('server.settings.save'),
    ),
  },
  {
    name: 'server-settings-failed',
    path: '/servers/filesystem?tab=settings',
    answers: { 'POST /api/tests': reports.missingVariable, 'GET /api/tests/*': reports.missingVariable },
    reach: then(
      (page, t) => page.getByLabel(t('server.settings.timeout'), { exact: true }).fill('45'),
      presses('server.settings.save'),
      says('server.settings.failed'),
    ),
  },
  {
    name: 'server-settings-folders',
    path: '/servers/filesystem?tab=settings',
    answers: {
      'POST /api/servers/*/roots': new Refusal(servers.failure('invalid_input', { reason: 'root_in_data' }), 422),
    },
    reach: then(
      (page, t) => page.getByLabel(t('folders.new'), { exact: true }).fill('/home/lea/.apollia'),
      presses('folders.add'),
      says('errors.invalid_input.reasons.root_in_data'),
      (page, t) => page.getByLabel(t('folders.new'), { exact: true }).scrollIntoViewIfNeeded(),
    ),
    complains: /422/,
  },
  {
    name: 'server-settings-file',
    path: '/servers/acme_internal?tab=settings',
    reach: says('server.settings.inFile', { line: 31 }),
  },
  { name: 'server-traffic', path: search, reach: then(presses('server.traffic.open'), shows('tools/list')) },
  {
    name: 'server-off',
    path: '/servers/heure',
    answers: { 'GET /api/servers/*/tools': broken, 'GET /api/status': program.status(servers.servers, 0) },
    reach: says('server.switchOn'),
    complains: /500/,
  },
]
