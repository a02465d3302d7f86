// What every door of a host shares.
import type { Clock, Random } from '@rookery/kernel/world.ts'
import type { Touch } from '@rookery/kernel/touch.ts'
import type { DecoyEvent, Listener, SessionContext } from '../session.ts'
import { bounded } from '@rookery/kernel/bound.ts'
import type { HostLimits, HostStats } from './limits.ts'

/** A touch as the host sees it: it does not know on which Bird it stands. */
export type HostTouch = Omit<Touch, 'nodeId'>

export interface House {
  readonly clock: Clock
  readonly limits: HostLimits
  readonly stats: HostStats
  readonly context: (src: Endpoint, dst: Endpoint) => SessionContext
  readonly raise: (events: readonly DecoyEvent[], listener: Listener, context: SessionContext) => void
  readonly thrown: (thrown: unknown) => void
}

export interface Endpoint {
  readonly host: string
  readonly port: number
}

export interface Surroundings {
  readonly clock: Clock
  readonly random: Random
  readonly derive: (label: string, length: number) => Buffer
  readonly emit: (touch: HostTouch) => void
}

export function buildHouse(around: Surroundings, limits: HostLimits, stats: HostStats): House {
  const { clock, derive, emit } = around
  const random = (length: number): Buffer => Buffer.from(around.random.bytes(length))
  const now = (): number => clock.now()
  return {
    clock,
    limits,
    stats,
    context: (src, dst) => ({ now, random, derive, src, dst }),
    raise(events, { instance }, { src, dst }) {
      for (const { logtype, fields } of events) {
        emit({
          instance,
          logtype,
          fields: bounded(fields),
          at: clock.now(),
          srcHost: src.host,
          srcPort: src.port,
          dstHost: dst.host,
          dstPort: dst.port,
        })
      }
    },
    thrown(thrown) {
      stats.thrown += 1
      stats.lastThrown = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)
    },
  }
}

/** An IPv4 address that came over an IPv6 socket is the IPv4 address; scopes (`%eth0`) are left out. */
export function plainAddress(address: string | undefined): string {
  if (!address) return ''
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)
  return mapped?.[1] ?? address.replace(/%.*$/, '')
}
