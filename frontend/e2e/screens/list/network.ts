import * as network from '../fixtures/network'
import type { Screen } from '../screen'
import { Refusal } from '../pretend'
import { failure, servers } from '../fixtures/servers'
import { mentions, presses, says, shows, then, type Reach } from './reach'

const searched = { 'GET /api/settings': { settings: network.searched } }

const chosen: Reach = async (page, t) => {
  await page.getByRole('combobox', { name: t('preferences.announce.choose') }).click()
  await page.getByRole('option', { name: 'acme-internal' }).click()
}

const moved = servers.find(({ id }) => id === 'sentry')

/** The local network. */
export const onNetwork: Screen[] = [
  {
    name: 'network-found',
    path: '/',
    answers: { ...searched, 'GET /api/network': network.two },
    english: true,
    reach: shows('nas-bureau'),
  },
  {
    name: 'network-facts',
    path: '/',
    answers: { ...searched, 'GET /api/network': network.two },
    english: true,
    reach: async (page, t) => {
      await page.getByRole('button', { name: 'nas-bureau', exact: true }).click()
      await says('network.known.note')(page, t)
    },
  },
  {
    name: 'network-nothing',
    path: '/',
    answers: { ...searched, 'GET /api/network': network.nothing },
    reach: then(shows('meteo-labo'), says('network.look')),
  },
  {
    name: 'network-none',
    path: '/',
    answers: { ...searched, 'GET /api/network': { ...network.nothing, no_network: true } },
    reach: says('network.noNetwork'),
  },
  {
    name: 'network-moved',
    path: '/servers/sentry',
    answers: {
      'GET /api/servers/sentry': {
        ...moved,
        moved: { from: 'http://192.168.1.40:8931/mcp', to: 'http://192.168.1.77:8931/mcp' },
      },
    },
    reach: then(presses('network.moved.see'), says('network.moved.accept')),
  },
  { name: 'preferences-normal', path: '/preferences', reach: says('preferences.search.name') },
  {
    name: 'preferences-announce',
    path: '/preferences',
    answers: { 'GET /api/servers/*/announcement': network.announcement },
    english: true,
    reach: then(chosen, says('preferences.announce.visible')),
  },
  {
    name: 'preferences-ask',
    path: '/preferences',
    answers: { 'GET /api/servers/*/announcement': network.announcement },
    reach: then(chosen, presses('preferences.announce.on'), says('preferences.announce.toWhom')),
  },
  {
    name: 'preferences-refused',
    path: '/preferences',
    answers: {
      'GET /api/servers/*/announcement': new Refusal(failure('invalid_input', { reason: 'announce_unreachable' })),
    },
    complains: /400/,
    reach: then(chosen, mentions('errors.invalid_input.reasons.announce_unreachable')),
  },
  {
    name: 'preferences-on',
    path: '/preferences',
    answers: { ...searched, 'GET /api/network': network.announced },
    reach: then(presses('preferences.announced.facts'), says('preferences.announce.visible')),
  },
]
