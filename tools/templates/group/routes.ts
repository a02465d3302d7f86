// Some name: what the group is for.
import { implement, type Route } from '@rookery/contract/implement.ts'
import { Fault } from '@rookery/kernel/fault.ts'
import type { AppContext } from '@rookery/console/app-context.ts'
import type { Call } from '@rookery/console/http/call.ts'
import { someName } from './group.ts'

/** What the routes need: parts of the base, and narrow questions that `route-deps.ts` names. */
type SomeNameDeps = Pick<AppContext, 'reader'>

export const someNameRoutes = (_deps: SomeNameDeps): Route<Call>[] =>
  implement(someName, {
    list: (_params, _call: Call) => Promise.reject(new Fault('unavailable', 'routes.ts is to be written.')),
  })
