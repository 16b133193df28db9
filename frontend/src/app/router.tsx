import {
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
} from '@tanstack/react-router'
import { ConnexionsRoute } from '@/routes/connexions'
import { CrashPage } from './shell/CrashPage'
import { NotFoundPage } from './shell/NotFoundPage'
import { Shell } from './shell/Shell'

/** The texts of an address that a page reads; anything else is left out. */
function texts<K extends string>(search: Record<string, unknown>, names: readonly K[]): { [name in K]?: string } {
  const kept: { [name in K]?: string } = {}
  for (const name of names) if (typeof search[name] === 'string') kept[name] = search[name]
  return kept
}

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFoundPage, errorComponent: CrashPage })
const shell = createRoute({ getParentRoute: () => root, id: 'shell', component: Shell })

/** The wizard is a focused page, without the sidebar. */
const add = createRoute({
  getParentRoute: () => root,
  path: '/add',
  validateSearch: (search) => texts(search, ['paste', 'from', 'transport', 'found']),
  component: lazyRouteComponent(() => import('@/routes/add')),
})
const edit = createRoute({
  getParentRoute: () => root,
  path: '/servers/$id/edit',
  validateSearch: (search) => texts(search, ['step']),
  component: lazyRouteComponent(() => import('@/routes/edit')),
})
const test = createRoute({
  getParentRoute: () => root,
  path: '/servers/$id/test',
  component: lazyRouteComponent(() => import('@/routes/test')),
})

const connexions = createRoute({ getParentRoute: () => shell, path: '/', component: ConnexionsRoute })
const server = createRoute({
  getParentRoute: () => shell,
  path: '/servers/$id',
  validateSearch: (search) => texts(search, ['tab', 'tool', 'item', 'from']),
  component: lazyRouteComponent(() => import('@/routes/server')),
})
const inbox = createRoute({
  getParentRoute: () => shell,
  path: '/inbox',
  component: lazyRouteComponent(() => import('@/routes/inbox')),
})
// The inbox shows it itself: it stays, and says what happened, when the last request is answered.
const request = createRoute({ getParentRoute: () => inbox, path: '$id' })
const activity = createRoute({
  getParentRoute: () => shell,
  path: '/activity',
  validateSearch: (search) =>
    texts(search, ['q', 'client', 'server', 'verdict', 'outcome', 'risk', 'day', 'hours', 'call']),
  component: lazyRouteComponent(() => import('@/routes/activity')),
})
const policy = createRoute({
  getParentRoute: () => shell,
  path: '/policy',
  validateSearch: (search) => texts(search, ['server', 'name', 'kind', 'caller']),
  component: lazyRouteComponent(() => import('@/routes/policy')),
})
const explorer = createRoute({
  getParentRoute: () => shell,
  path: '/tools',
  validateSearch: (search) => texts(search, ['q', 'as', 'category']),
  component: lazyRouteComponent(() => import('@/routes/explorer')),
})
const preferences = createRoute({
  getParentRoute: () => shell,
  path: '/preferences',
  component: lazyRouteComponent(() => import('@/routes/preferences')),
})
const settings = createRoute({
  getParentRoute: () => shell,
  path: '/settings',
  validateSearch: (search) => texts(search, ['row']),
  component: lazyRouteComponent(() => import('@/routes/settings')),
})

const tree = root.addChildren([
  add,
  edit,
  test,
  shell.addChildren([
    connexions,
    server,
    inbox.addChildren([request]),
    activity,
    policy,
    explorer,
    preferences,
    settings,
  ]),
])

/** Addresses live after the "#": the window's and the server's files need no rule for them. */
export function makeRouter() {
  return createRouter({
    routeTree: tree,
    history: createHashHistory(),
    defaultPreload: 'intent',
    scrollRestoration: true,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>
  }
}
