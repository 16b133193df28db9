import { expect } from '@playwright/test'
import { definitions, program, requests, servers } from '../fixtures'
import { now } from '../fixtures/clock'
import { broken, from, inboxOf, never, Refusal, type Answers } from '../pretend'
import type { Screen } from '../screen'
import { fails, loads, presses, says, shows, then, type Reach } from './reach'

const holding = (waiting: typeof requests.waiting, answered: typeof requests.waiting): Answers => ({
  'GET /api/inbox': inboxOf([...waiting, ...answered]),
  'GET /api/status': program.status(servers.servers, waiting.length),
})

/** A page that is open when one more request comes: it looks again, as it does when a person comes back to it. */
const arriving = (): Pick<Screen, 'answers' | 'reach'> => {
  const [first] = requests.waiting
  let answered = false
  let arrived = false
  const queue = () => {
    answered = true
    return { requests: arrived ? [...requests.waiting, { ...first, id: 'arrived' }] : requests.waiting, waiting: 4 }
  }
  const reach: Reach = async (page, t) => {
    await shows('github.list_branches')(page, t)
    await expect.poll(() => answered).toBe(true)
    arrived = true
    let later = now.getTime()
    await expect(async () => {
      later += 10_000 // what is younger is not asked for again
      await page.clock.setFixedTime(later)
      await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
      await expect(page.getByText(t('shell.newRequests', { count: 1 }))).toBeVisible({ timeout: 1000 })
    }).toPass()
    await page.clock.setFixedTime(now)
    answered = arrived = false
  }
  return { answers: { 'GET /api/inbox': from(queue) }, reach }
}

const changing: Answers = {
  ...holding([...requests.waiting, ...definitions.waiting], requests.answeredToday),
  'GET /api/inbox/18405/definition': definitions.changed,
  'GET /api/inbox/18406/definition': definitions.added,
}

export const inbox: Screen[] = [
  { name: 'inbox-normal', path: '/inbox', english: true, reach: shows('release/2.3') },
  { name: 'inbox-writes', path: '/inbox/18399', reach: shows('/home/lea/Projets/atlas/CHANGELOG.md') },
  { name: 'inbox-resource', path: '/inbox/18390', reach: says('inbox.risk.resource') },
  {
    name: 'inbox-question',
    english: true,
    path: '/inbox/18401',
    answers: holding([...requests.waiting, requests.question], requests.answeredToday),
    reach: says('inbox.question.noPasswords'),
  },
  {
    name: 'inbox-question-wrong',
    path: '/inbox/18401',
    answers: holding([...requests.waiting, requests.question], requests.answeredToday),
    reach: then(
      (page) => page.getByRole('textbox', { name: /Relecteur/ }).fill('karim@acme'),
      (page) => page.getByRole('textbox', { name: /Relecteur/ }).press('Tab'),
      says('inbox.question.cancel'),
    ),
  },
  {
    name: 'inbox-page',
    english: true,
    path: '/inbox/18410',
    answers: holding([...requests.waiting, requests.page], requests.answeredToday),
    reach: says('inbox.page.userOut'),
  },
  {
    name: 'inbox-page-opened',
    path: '/inbox/18410',
    answers: holding(
      [...requests.waiting, { ...requests.page, address: { ...requests.plainPage, opened: true } }],
      requests.answeredToday,
    ),
    reach: says('inbox.page.thenAgain', { server: 'facturo' }),
  },
  {
    name: 'inbox-setup',
    english: true,
    path: '/inbox/18411',
    answers: holding([...requests.waiting, requests.setup], requests.answeredToday),
    reach: says('inbox.setup.starts'),
  },
  {
    name: 'inbox-definition',
    english: true,
    path: '/inbox/18405',
    answers: changing,
    reach: then(shows('U+202E'), (page, t) =>
      expect(page.getByRole('button', { name: t('inbox.definition.accept') })).toBeEnabled(),
    ),
  },
  {
    name: 'inbox-definition-plain',
    path: '/inbox/18405',
    answers: changing,
    reach: then(shows('U+202E'), (page, t) => page.getByRole('switch', { name: t('inbox.definition.hidden') }).click()),
  },
  {
    name: 'inbox-definition-new',
    path: '/inbox/18406',
    answers: changing,
    reach: shows('Efface la fiche d’un client.'),
  },
  {
    name: 'inbox-text',
    english: true,
    path: '/inbox/18412',
    answers: {
      ...holding([...requests.waiting, requests.text], requests.answeredToday),
      'GET /api/inbox/18412/text': { model: 'mistral-small', asked: 12, most: 100 },
    },
    reach: says('inbox.text.meter', { asked: 12, most: 100 }),
  },
  {
    name: 'inbox-text-written',
    path: '/inbox/18413',
    answers: {
      ...holding([...requests.waiting, requests.writtenText], requests.answeredToday),
      'GET /api/inbox/18413/text': { model: 'mistral-small', asked: 13, most: 100 },
    },
    reach: says('inbox.text.notGiven'),
  },
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
  { name: 'inbox-banner', path: '/activity', ...arriving() },
]
