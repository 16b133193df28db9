import type { Server, Skill } from '@/lib/api'
import { servers, streams } from '../fixtures'
import type { Answers } from '../pretend'
import type { Screen } from '../screen'
import { fails, mentions, presses, says, shows, then, type Reach } from './reach'

const github = '/servers/github'
const one = (more: Partial<Server>): Answers => ({ 'GET /api/servers/github': { ...servers.named('github'), ...more } })

const skill: Skill = {
  server: 'github',
  uri: 'skill://factures/SKILL.md',
  name: 'factures',
  description: 'Lit une facture et vérifie ses totaux.',
  frontmatter: {},
  files: [
    { uri: 'skill://factures/SKILL.md', digest: 'sha256:00', size: 2048 },
    { uri: 'skill://factures/modeles/taux-par-pays.csv', digest: 'sha256:11', size: 120 },
  ],
}

const teaching: Answers = {
  ...one({ capabilities: { tools: {}, resources: {}, extensions: { 'io.modelcontextprotocol/skills': {} } } }),
  'GET /api/servers/*/skills': { skills: [skill] },
}
const unverified = {
  ...streams.readme,
  name: skill.uri,
  result: undefined,
  error: servers.failure('content_unverified', { uri: skill.uri }),
}

const opensSkill: Reach = async (page) => {
  await page.getByRole('button', { name: 'factures' }).click()
}

/** The server page in states of its own, and what a server sends that is odd. */
export const serverStates: Screen[] = [
  {
    name: 'server-skills',
    path: `${github}?tab=resources`,
    answers: teaching,
    reach: then(opensSkill, shows('modeles/taux-par-pays.csv')),
  },
  {
    name: 'server-skills-refused',
    path: `${github}?tab=resources`,
    answers: { ...teaching, 'POST /api/calls': unverified, 'GET /api/calls/*': unverified },
    reach: then(opensSkill, presses('server.skills.readFile', { uri: skill.uri }), fails),
  },
  {
    name: 'server-degraded',
    path: github,
    answers: one({
      state: 'degraded',
      reason: servers.failure('protocol_error', { reason: 'malformed', count: '3' }),
      warnings: [
        servers.failure('protocol_error', { reason: 'stuck_cursor', section: 'tools' }),
        servers.failure('protocol_error', { reason: 'twice', section: 'tools', name: 'search_issues' }),
      ],
      stray_lines: 12,
      transport_in_use: 'sse',
    }),
    reach: then(
      says('server.warnings', { count: 3 }),
      (page, t) => page.getByText(t('server.warnings', { count: 3 })).click(),
      says('server.strayLines', { count: 12 }),
    ),
  },
  {
    name: 'server-installing',
    path: github,
    answers: {
      ...one({ state: 'installing', tools: 0, last_line: 'npm http fetch GET 200 https://npm.example/mcp 812ms' }),
      'GET /api/servers/*/tools': { tools: [] },
    },
    reach: mentions('server.installingMore'),
  },
  {
    name: 'server-disconnected',
    path: `${github}?tab=settings`,
    answers: one({ state: 'off', reason: servers.failure('server_off', { server: 'github' }) }),
    reach: says('connexions.actions.connect'),
  },
  {
    name: 'server-tools-asked',
    path: `${github}?tool=search_issues`,
    answers: {
      'POST /api/calls': { ...streams.runningCall, notices: [{ kind: 'asked' }] },
      'GET /api/calls/*': { ...streams.runningCall, notices: [{ kind: 'asked' }] },
    },
    reach: then(
      (page) => page.getByRole('tabpanel').getByLabel('Recherche').fill('label:bug'),
      presses('server.form.call'),
      says('server.result.outcomes.asked'),
    ),
  },
]
