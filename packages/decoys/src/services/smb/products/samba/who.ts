// Who is logged in, as events say it.
import type { Who } from '../../protocol/events.ts'
import type { SessionCall } from './call.ts'

export const whoIn = <Call extends SessionCall>(call: Call): Call & Who => ({
  ...call,
  session: { ...call.session, login: { ...call.session.login, ...call.identity } },
  machine: { ...call.machine, names: { netbiosComputer: call.machine.netbiosName } },
})
