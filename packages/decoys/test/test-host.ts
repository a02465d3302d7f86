// A host on free ports of the loopback address.
import { randomBytes } from 'node:crypto'
import type { Clock } from '@rookery/kernel/world.ts'
import type { HostTouch } from '../src/host/host-touch.ts'
import { openHost, type Host, type HostOptions } from '../src/host/host.ts'
import { deriveFrom } from './session-context.ts'

export const realClock: Clock = {
  now: () => Date.now(),
  after(ms, wake) {
    const timer = setTimeout(wake, ms).unref()
    return () => clearTimeout(timer)
  },
}

/** `touches` collects what the host emits. */
export function openTestHost(over: Partial<HostOptions> = {}): { host: Host; touches: HostTouch[] } {
  const touches: HostTouch[] = []
  const host = openHost({
    bind: '127.0.0.1',
    portOffset: 'any',
    clock: realClock,
    random: { bytes: (length) => randomBytes(length) },
    derive: deriveFrom('bird-1'),
    emit: (raised) => touches.push(...raised),
    ...over,
  })
  return { host, touches }
}

export function portOf(host: Host, instance = 'line'): number {
  const found = host.listening().find((listener) => listener.instance === instance)
  if (!found) throw new Error(`${instance} does not listen`)
  return found.boundPort
}
