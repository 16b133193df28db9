import { expect } from '@playwright/test'
import { journal, program, requests, servers } from '../fixtures'
import { broken, never } from '../pretend'
import type { Screen } from '../screen'
import { fails, loads, presses, says, shows, then, type Reach } from './reach'

const fileProblem = servers.failure('config_invalid', {
  file: '/home/lea/.apollia/config.toml',
  line: '12',
  column: '7',
})

const keyLost = {
  ...program.status(servers.servers, 0),
  secrets: {
    kind: 'file',
    degraded: true,
    reason: servers.failure('secret_key_missing', { path: '/home/lea/.apollia/server.key' }),
    lost: ['github/env.GITHUB_TOKEN', 'notion/header.Authorization'],
  },
}

const callsStopped = {
  ...program.status(servers.servers, 4),
  calls_stopped: {
    by: { kind: 'window', name: 'window', user: 'local' },
    at: '2026-11-26T16:02:00+01:00',
    canceled: 3,
    held: 1,
  },
}

/** Where the window is narrow, "why" is behind a button. */
const opensWhy: Reach = async (page, t) => {
  if ((page.viewportSize()?.width ?? 0) < 960) await presses('policy.why.title')(page, t)
}

export const others: Screen[] = [
  { name: 'activity-normal', path: '/activity', english: true, reach: shows('github.list_branches') },
  { name: 'activity-call', path: '/activity?call=c18402', reach: says('activity.detail.result') },
  { name: 'activity-failed', path: '/activity?call=c18394', reach: says('activity.detail.arguments') },
  {
    name: 'activity-empty',
    path: '/activity',
    answers: { 'GET /api/activity': journal.quiet },
    reach: says('activity.empty.title'),
  },
  {
    name: 'activity-filters',
    path: '/activity?kind=sign_in,server,answer',
    reach: then(
      (page, t) =>
        page
          .getByRole('button', { name: t('activity.filters.kind') })
          .first()
          .click(),
      says('activity.kinds.journal'),
    ),
  },
  { name: 'activity-filtered', path: '/activity?client=nobody', reach: says('activity.empty.filtered') },
  { name: 'activity-loading', path: '/activity', answers: { 'GET /api/activity': never }, reach: loads },
  {
    name: 'activity-error',
    path: '/activity',
    answers: { 'GET /api/activity': broken },
    reach: fails,
    complains: /500/,
  },
  {
    name: 'activity-hundred',
    path: '/activity',
    answers: { 'GET /api/activity': journal.busy },
    reach: shows('github.list_branches'),
  },
  {
    name: 'activity-broken',
    path: '/activity',
    answers: {
      'GET /api/audit/verify': {
        ok: false,
        entries: 18_402,
        broken_at: 18_391,
        error: servers.failure('audit_broken', { seq: '18391' }),
      },
    },
    // The thousands are set apart by a space in French and by a comma in English.
    reach: (page) => expect(page.getByText(/18[\s,\u202f\u00a0]391/).first()).toBeVisible(),
  },
  { name: 'policy-normal', path: '/policy', reach: shows('github.delete_repository') },
  {
    name: 'policy-why',
    path: '/policy?server=github&name=delete_branch&kind=tool&caller=cli',
    reach: then(opensWhy, says('policy.why.terminal')),
  },
  {
    name: 'policy-empty',
    path: '/policy',
    answers: { 'GET /api/policy': { rules: [] }, 'GET /api/approvals': { approvals: [] } },
    reach: says('policy.defaults.name'),
  },
  {
    name: 'policy-stopped',
    path: '/policy',
    answers: { 'GET /api/status': callsStopped },
    reach: says('halt.resume'),
  },
  { name: 'policy-loading', path: '/policy', answers: { 'GET /api/policy': never }, reach: loads },
  { name: 'policy-error', path: '/policy', answers: { 'GET /api/policy': broken }, reach: fails, complains: /500/ },
  {
    name: 'policy-hundred',
    path: '/policy',
    answers: { 'GET /api/policy': { rules: program.hundredRules } },
    reach: shows('github.delete_repository'),
  },
  {
    name: 'policy-file',
    path: '/policy',
    answers: { 'GET /api/policy': { rules: program.rules, problem: fileProblem } },
    reach: fails,
  },
  { name: 'policy-new', path: '/policy', reach: then(presses('policy.new.open'), says('policy.new.save')) },
  {
    name: 'policy-standing',
    path: '/policy',
    answers: {
      'GET /api/approvals': {
        approvals: Array.from({ length: 100 }, (_, n) => ({ ...requests.approvals[n % 3], id: `a${n}` })),
      },
    },
    reach: then(presses('policy.lists.all', { count: 100 }), says('policy.standing.more')),
  },
  { name: 'settings-normal', path: '/settings', reach: says('settings.sections.appearance') },
  {
    name: 'settings-model',
    path: '/settings',
    answers: {
      'GET /api/settings': { settings: program.withModel },
      'POST /api/model/check': program.modelAnswers,
    },
    english: true,
    reach: then(presses('settings.model.try'), says('settings.model.answers')),
  },
  {
    name: 'settings-doctor',
    path: '/settings',
    reach: then(says('settings.doctor.levels.problem'), (page, t) =>
      page.getByText(t('settings.doctor.levels.problem')).scrollIntoViewIfNeeded(),
    ),
  },
  {
    name: 'settings-filtered',
    path: '/settings',
    reach: then(
      (page, t) => page.getByLabel(t('settings.search')).fill('xyzzy'),
      says('settings.noMatch', { query: 'xyzzy' }),
    ),
  },
  {
    name: 'settings-loading',
    path: '/settings',
    answers: { 'GET /api/settings': never, 'GET /api/doctor': never, 'GET /api/status': never },
    reach: loads,
  },
  {
    name: 'settings-error',
    path: '/settings',
    answers: { 'GET /api/settings': broken },
    reach: fails,
    complains: /500/,
  },
  {
    name: 'settings-file',
    path: '/settings',
    answers: {
      'GET /api/status': {
        ...program.status(servers.servers, 0),
        secrets: {
          kind: 'file',
          degraded: true,
          reason: servers.failure('secrets_in_file', { path: '/home/lea/.apollia/server.key' }),
        },
        problems: [fileProblem],
      },
    },
    reach: (page, t) => expect(page.getByText(t('settings.secrets.file'))).toBeVisible(),
  },
  {
    name: 'settings-key-lost',
    path: '/settings',
    answers: { 'GET /api/status': keyLost },
    reach: (page, t) => expect(page.getByText(t('settings.secrets.lost'))).toBeVisible(),
  },
  {
    name: 'settings-key-lost-renew',
    path: '/settings',
    answers: { 'GET /api/status': keyLost },
    reach: then(presses('settings.secrets.renew'), says('settings.secrets.stays')),
  },
]
