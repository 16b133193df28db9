import { expect } from '@playwright/test'
import { program, servers } from '../fixtures'
import { broken, gone, never, type Answers } from '../pretend'
import type { Screen } from '../screen'
import { fails, loads, mentions, presses, says, shows, then } from './reach'

const holding = (list: typeof servers.servers): Answers => ({
  'GET /api/servers': { servers: list },
  'GET /api/status': program.status(list, list.length === 0 ? 0 : 4),
})

export const connexions: Screen[] = [
  { name: 'connexions-normal', path: '/', reach: shows('meteo-labo') },
  { name: 'connexions-empty', path: '/', answers: holding([]), reach: says('firstRun.title') },
  { name: 'connexions-loading', path: '/', answers: { 'GET /api/servers': never }, reach: loads },
  { name: 'connexions-error', path: '/', answers: { 'GET /api/servers': broken }, reach: fails, complains: /500/ },
  { name: 'connexions-hundred', path: '/', answers: holding(servers.hundred), reach: shows('notion-10') },
  {
    name: 'connexions-filtered',
    path: '/',
    reach: then(
      (page, t) => page.getByLabel(t('connexions.search')).fill('facturation'),
      says('connexions.noMatch', { query: 'facturation' }),
    ),
  },
  {
    name: 'connexions-opened',
    path: '/',
    reach: then((page) => page.locator('[data-row=github]').click(), shows('repo://acme/atlas-web/LICENSE')),
  },
  {
    name: 'connexions-menu',
    path: '/',
    reach: then(presses('connexions.menu.label', { name: 'notion' }), says('connexions.menu.duplicate')),
  },
  {
    name: 'connexions-gateway',
    path: '/',
    reach: then((page) => page.locator('nav').getByRole('button').last().click(), says('halt.stop')),
  },
  {
    name: 'connexions-stopping',
    path: '/',
    reach: then(
      (page, t) => page.getByRole('switch', { name: t('connexions.switch', { name: 'sentry' }) }).click(),
      says('connexions.stop.off'),
    ),
  },
  {
    name: 'connexions-removed',
    path: '/',
    answers: { 'DELETE /api/servers/notion': {} },
    reach: then(
      presses('connexions.menu.label', { name: 'notion' }),
      (page, t) => page.getByRole('menuitem', { name: t('connexions.menu.remove') }).click(),
      says('common.undo'),
    ),
  },
  {
    name: 'connexions-unreachable',
    path: '/',
    answers: { 'GET /api/status': gone },
    reach: says('unreachable.title'),
    complains: /ERR_CONNECTION_REFUSED/,
  },
  {
    name: 'connexions-config-broken',
    path: '/',
    answers: {
      'GET /api/status': {
        ...program.status(servers.servers, 0),
        problems: [
          servers.failure('config_invalid', { file: '/home/lea/.apollia/config.toml', line: '12', column: '7' }),
        ],
      },
    },
    reach: mentions('errors.config_invalid.do'),
  },
  {
    name: 'shortcuts-open',
    path: '/',
    reach: then(shows('meteo-labo'), (page) => page.keyboard.press('?'), says('shortcuts.title')),
  },
  {
    name: 'palette-open',
    path: '/',
    reach: then(shows('meteo-labo'), (page) => page.keyboard.press('Control+k'), says('palette.groups.waiting')),
  },
  {
    name: 'palette-found',
    path: '/',
    reach: then(
      shows('meteo-labo'),
      (page) => page.keyboard.press('Control+k'),
      (page) => page.getByRole('combobox').last().fill('git'),
      says('palette.groups.servers'),
    ),
  },
  {
    name: 'palette-none',
    path: '/',
    reach: then(
      shows('meteo-labo'),
      (page) => page.keyboard.press('Control+k'),
      (page) => page.getByRole('combobox').last().fill('xyzzy'),
      says('palette.none'),
    ),
  },
  {
    name: 'notfound-normal',
    path: '/nowhere',
    reach: async (page, t) => expect(page.getByRole('heading', { name: t('notFound.title') })).toBeVisible(),
  },
]
