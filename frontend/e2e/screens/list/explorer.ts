import * as explorer from '../fixtures/explorer'
import type { Screen } from '../screen'
import { Refusal } from '../pretend'
import { failure } from '../fixtures/servers'
import { fails, says, shows, then, type Reach } from './reach'

const there = { 'GET /api/toolbox': explorer.overview, 'GET /api/toolbox/search': { results: explorer.hits } }

const asked: Reach = (page, t) =>
  page.getByRole('textbox', { name: t('explorer.search') }).fill("envoyer un message à l'équipe")

/** What an agent sees. */
export const explored: Screen[] = [
  { name: 'explorer-normal', path: '/tools', answers: there, english: true, reach: says('explorer.invite') },
  {
    name: 'explorer-found',
    path: '/tools',
    answers: there,
    english: true,
    reach: then(asked, shows('mcp_acme_internal.post_message')),
  },
  {
    name: 'explorer-category',
    path: '/tools?category=mcp_acme_internal',
    answers: { ...there, 'GET /api/toolbox/categories/*': { tools: explorer.inside } },
    reach: shows('mcp_acme_internal.reply_to_thread'),
  },
  {
    name: 'explorer-nothing',
    path: '/tools',
    answers: { ...there, 'GET /api/toolbox/search': { results: [] } },
    reach: then(asked, says('explorer.noMatchMore')),
  },
  {
    name: 'explorer-empty',
    path: '/tools',
    answers: { 'GET /api/toolbox': { mode: 'direct', tools: 0, bytes: 0, categories: [] } },
    reach: says('explorer.none'),
  },
  {
    name: 'explorer-error',
    path: '/tools',
    answers: { 'GET /api/toolbox': new Refusal(failure('internal')) },
    complains: /500/,
    reach: fails,
  },
]
