// The pages and their addresses. Each page's code comes when it is opened.
import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import type { BirdsSearch } from './features/birds/filter.ts'
import { ProblemBox } from './kit/problem-box.tsx'
import {
  links,
  parseSearch,
  printSearch,
  readDaysSearch,
  readOverviewSearch,
  readDeliveriesSearch,
  readIgnoreSearch,
  readNewReceiverSearch,
  readReceiversSearch,
  readTokenSearch,
  type InboxSearch,
} from './links.ts'
import { sessionQuery } from './session/session-query.ts'
import { NotFound } from './shell/not-found.tsx'
import { Shell } from './shell/shell.tsx'

interface Context {
  readonly queries: QueryClient
}

const root = createRootRouteWithContext<Context>()({ component: Outlet, notFoundComponent: NotFound })

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: ({ to }): { readonly to?: string } => (typeof to === 'string' ? { to } : {}),
  component: lazyRouteComponent(() => import('./features/sessions/sign-in.tsx'), 'SignIn'),
})

const setup = createRoute({
  getParentRoute: () => root,
  path: '/setup',
  component: lazyRouteComponent(() => import('./features/tickets/setup.tsx'), 'SetUp'),
})

const invite = createRoute({
  getParentRoute: () => root,
  path: '/invite',
  component: lazyRouteComponent(() => import('./features/tickets/choose-password.tsx'), 'Invite'),
})

const reset = createRoute({
  getParentRoute: () => root,
  path: '/reset',
  component: lazyRouteComponent(() => import('./features/tickets/choose-password.tsx'), 'Reset'),
})

/** Pages inside the shell are for people who are signed in; others sign in first, and come back to where they were going. */
const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  component: Shell,
  async beforeLoad({ context, location }) {
    const session = await context.queries.ensureQueryData(sessionQuery)
    if (!session.signed_in)
      redirect({
        throw: true,
        to: links.signIn,
        search: location.href === '/' ? {} : { to: location.href },
        replace: true,
      })
  },
})

const inboxAt = (path: '/' | '/incidents') =>
  createRoute({
    getParentRoute: () => shell,
    path,
    // As it is: the inbox reads it, and says what it left out.
    validateSearch: (search: Record<string, unknown>): InboxSearch => search,
    component: lazyRouteComponent(() => import('./features/incidents/inbox.tsx'), 'Inbox'),
  })

const incident = createRoute({
  getParentRoute: () => shell,
  path: '/incidents/$hash',
  component: lazyRouteComponent(() => import('./features/incident/page.tsx'), 'IncidentPage'),
})

const profile = createRoute({
  getParentRoute: () => shell,
  path: links.profile,
  component: lazyRouteComponent(() => import('./features/me/profile.tsx'), 'Profile'),
})

const security = createRoute({
  getParentRoute: () => shell,
  path: links.security,
  component: lazyRouteComponent(() => import('./features/me/security.tsx'), 'Security'),
})

const birds = createRoute({
  getParentRoute: () => shell,
  path: '/birds',
  validateSearch: (search: Record<string, unknown>): BirdsSearch => search,
  component: lazyRouteComponent(() => import('./features/birds/page.tsx'), 'BirdsPage'),
})

const pendingBirds = createRoute({
  getParentRoute: () => shell,
  path: '/birds/pending',
  component: lazyRouteComponent(() => import('./features/birds/pending.tsx'), 'PendingPage'),
})

const newBird = createRoute({
  getParentRoute: () => shell,
  path: '/birds/new',
  component: lazyRouteComponent(() => import('./features/birds/new.tsx'), 'NewBirdPage'),
})

const updates = createRoute({
  getParentRoute: () => shell,
  path: '/birds/updates',
  component: lazyRouteComponent(() => import('./features/updates/page.tsx'), 'UpdatesPage'),
})

const birdAt = <P extends '/birds/$id' | '/birds/$id/$tab'>(path: P) =>
  createRoute({
    getParentRoute: () => shell,
    path,
    component: lazyRouteComponent(() => import('./features/bird/page.tsx'), 'BirdPage'),
  })

const flocks = createRoute({
  getParentRoute: () => shell,
  path: '/flocks',
  component: lazyRouteComponent(() => import('./features/flock/flocks.tsx'), 'FlocksPage'),
})

const flock = createRoute({
  getParentRoute: () => shell,
  path: '/flocks/$id',
  component: lazyRouteComponent(() => import('./features/flock/page.tsx'), 'FlockPage'),
})

const overview = createRoute({
  getParentRoute: () => shell,
  path: '/overview',
  validateSearch: readOverviewSearch,
  component: lazyRouteComponent(() => import('./features/overview/page.tsx'), 'OverviewPage'),
})

const source = createRoute({
  getParentRoute: () => shell,
  path: '/sources/$address',
  component: lazyRouteComponent(() => import('./features/sources/page.tsx'), 'SourcePage'),
})

const keys = createRoute({
  getParentRoute: () => shell,
  path: links.keys,
  component: lazyRouteComponent(() => import('./features/api-keys/page.tsx'), 'KeysPage'),
})

const settingsAt = <P extends '/settings' | '/settings/$tab'>(path: P) =>
  createRoute({
    getParentRoute: () => shell,
    path,
    component: lazyRouteComponent(() => import('./features/settings/page.tsx'), 'SettingsPage'),
  })

const audit = createRoute({
  getParentRoute: () => shell,
  path: '/audit',
  validateSearch: readDaysSearch,
  component: lazyRouteComponent(() => import('./features/audit/page.tsx'), 'AuditPage'),
})

const tokens = [
  createRoute({
    getParentRoute: () => shell,
    path: '/tokens',
    validateSearch: readTokenSearch,
    component: lazyRouteComponent(() => import('./features/tokens/list.tsx'), 'TokenList'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/tokens/new',
    validateSearch: ({ q }): { readonly q?: string } => (typeof q === 'string' ? { q } : {}),
    component: lazyRouteComponent(() => import('./features/tokens/gallery.tsx'), 'Gallery'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/tokens/new/$kind',
    component: lazyRouteComponent(() => import('./features/tokens/new-token.tsx'), 'NewToken'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/tokens/import',
    component: lazyRouteComponent(() => import('./features/tokens/import.tsx'), 'ImportTokens'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/tokens/factories',
    component: lazyRouteComponent(() => import('./features/tokens/factories.tsx'), 'Factories'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/tokens/$id',
    component: lazyRouteComponent(() => import('./features/tokens/token-page.tsx'), 'TokenPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/tokens/$id/$tab',
    component: lazyRouteComponent(() => import('./features/tokens/token-page.tsx'), 'TokenPage'),
  }),
] as const

const people = createRoute({
  getParentRoute: () => shell,
  path: '/people',
  component: lazyRouteComponent(() => import('./features/users/page.tsx'), 'People'),
})

const alerts = [
  createRoute({
    getParentRoute: () => shell,
    path: '/alerts/receivers',
    validateSearch: readReceiversSearch,
    component: lazyRouteComponent(() => import('./features/receivers/page.tsx'), 'ReceiversPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/alerts/receivers/new',
    validateSearch: readNewReceiverSearch,
    component: lazyRouteComponent(() => import('./features/receivers/new.tsx'), 'NewReceiverPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/alerts/deliveries',
    validateSearch: readDeliveriesSearch,
    component: lazyRouteComponent(() => import('./features/deliveries/page.tsx'), 'DeliveriesPage'),
  }),
] as const

const ignore = createRoute({
  getParentRoute: () => shell,
  path: '/ignore',
  validateSearch: readIgnoreSearch,
  component: lazyRouteComponent(() => import('./features/ignore-rules/page.tsx'), 'IgnorePage'),
})

export function openRouter(queries: QueryClient) {
  return createRouter({
    routeTree: root.addChildren([
      signIn,
      setup,
      invite,
      reset,
      shell.addChildren([
        inboxAt('/'),
        inboxAt('/incidents'),
        incident,
        birds,
        pendingBirds,
        newBird,
        updates,
        birdAt('/birds/$id'),
        birdAt('/birds/$id/$tab'),
        flocks,
        flock,
        ...tokens,
        people,
        overview,
        source,
        keys,
        settingsAt('/settings'),
        settingsAt('/settings/$tab'),
        audit,
        ...alerts,
        ignore,
        profile,
        security,
      ]),
    ]),
    context: { queries },
    parseSearch,
    stringifySearch: printSearch,
    scrollRestoration: true,
    defaultErrorComponent: ({ error, reset }) => <ProblemBox error={error} onRetry={reset} />,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof openRouter>
  }
}
