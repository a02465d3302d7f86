import { ping } from '@rookery/contract/groups/ping.ts'
import { implement, type Route } from '@rookery/contract/implement.ts'
import type { Call } from '../../http/call.ts'

export const pingRoutes = (): Route<Call>[] =>
  implement(ping, { ping: (_params, _call: Call) => Promise.resolve({}) })
