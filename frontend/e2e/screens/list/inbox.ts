import { program, requests, servers } from '../fixtures'
import { broken, inboxOf, never, Refusal, type Answers } from '../pretend'
import type { Screen } from '../screen'
import { fails, loads, presses, says, shows, then } from './reach'

const holding = (waiting: typeof requests.waiting, answered: typeof requests.waiting): Answers => ({
  'GET /api/inbox': inboxOf([...waiting, ...answered]),
  'GET /api/status': program.status(servers.servers, waiting.length),
})

export const inbox: Screen[] = [
  { name: 'inbox-normal', path: '/inbox', reach: shows('release/2.3') },
  { name: 'inbox-writes', path: '/inbox/18399', reach: shows('/home/lea/Projets/atlas/CHANGELOG.md') },
  { name: 'inbox-resource', path: '/inbox/18390', reach: says('inbox.risk.resource') },
  { name: 'inbox-answered', path: '/inbox/18290', reach: says('inbox.wasSent') },
  {
    name: 'inbox-always',
    path: '/inbox',
    reach: then(presses('inbox.answers.always'), says('inbox.alwaysPanel.change')),
  },
  {
    name: 'inbox-edited',
    path: '/inbox',
    reach: then(
      presses('inbox.edit'),
      (page, t) => page.getByLabel(t('inbox.editLabel')).fill('{"owner":"acme","branch":"release/2.4"}'),
      presses('inbox.editDone'),
      says('inbox.editReset'),
    ),
  },
  {
    name: 'inbox-editing',
    path: '/inbox',
    reach: then(presses('inbox.edit'), (page, t) => page.getByLabel(t('inbox.editLabel')).fill('{"owner": ac')),
  },
  {
    name: 'inbox-notsaved',
    path: '/inbox',
    answers: {
      'POST /api/inbox/*/answer': new Refusal(servers.failure('disk_full', { path: '/home/lea/.apollia' }), 507),
    },
    reach: then(presses('inbox.answers.once'), says('inbox.notSaved')),
    complains: /507/,
  },
  { name: 'inbox-empty', path: '/inbox', answers: holding([], []), reach: says('inbox.empty.title') },
  {
    name: 'inbox-done',
    path: '/inbox',
    answers: holding([], requests.answeredToday),
    reach: says('inbox.empty.title'),
  },
  { name: 'inbox-loading', path: '/inbox', answers: { 'GET /api/inbox': never }, reach: loads },
  { name: 'inbox-error', path: '/inbox', answers: { 'GET /api/inbox': broken }, reach: fails, complains: /500/ },
  {
    name: 'inbox-hundred',
    path: '/inbox',
    answers: holding(requests.hundredWaiting, requests.answeredToday),
    reach: shows('delete_branch_96'),
  },
  { name: 'inbox-gone', path: '/inbox/1', answers: holding([], []), reach: says('inbox.gone') },
  { name: 'inbox-banner', path: '/activity', answers: {}, reach: shows('github.list_branches') },
]
