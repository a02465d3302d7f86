// Calls that are refused for their key or its rights, in the log: of each source the first in a minute, the tenth, the
// hundredth, so that guessing is seen and the log does not grow with it.
import type { FastifyRequest } from 'fastify'
import type { Fault, FaultCode } from '@rookery/kernel/fault.ts'
import { limit } from '@rookery/kernel/limit.ts'
import { windowCounter } from '@rookery/kernel/window-counter.ts'
import type { Clock } from '@rookery/kernel/world.ts'
import { sourceNetwork } from '../addresses/source-network.ts'

export type NoteRefused = (fault: Fault, request: FastifyRequest) => void

const LOGGED: ReadonlySet<FaultCode> = new Set(['unauthenticated', 'forbidden', 'too-many'])
/** Sources beyond them are counted together. */
const SOURCES = limit('refused_call_sources', 200)
const MINUTE_MS = 60_000
const MAX_PATH = 200

/** Faults of other kinds are no refusals, and not logged here. */
export function openRefusedCalls(clock: Pick<Clock, 'now'>): NoteRefused {
  const refused = windowCounter<string>(SOURCES, MINUTE_MS)
  return ({ code, message }, request) => {
    if (!LOGGED.has(code)) return
    const count = refused.count(`${code} ${sourceNetwork(request.ip)}`, clock.now())
    if (!/^10*$/.test(String(count))) return
    const [path = ''] = request.url.split('?')
    request.log.warn(
      {
        reqId: request.id,
        address: request.ip,
        method: request.method,
        path: path.slice(0, MAX_PATH),
        reason: message,
        count,
      },
      'call refused; further ones of this source are counted',
    )
  }
}
