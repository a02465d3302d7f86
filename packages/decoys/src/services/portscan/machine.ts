// What the machine itself shows: its addresses, and the TCP ports on which something listens.
import { readFileSync } from 'node:fs'
import { isLoopback, isWildcard, localAddresses } from '../../host/udp/local-addresses.ts'

export interface Machine {
  /** The Bird listens on loopback: of the ports, only those of its decoys are watched, since other programs here are no intruders. */
  readonly isLocalTrial: boolean
  /** A packet to it is for this Bird, and none of the machine's own. */
  concerns(src: string, dst: string): boolean
  isOpen(port: number): boolean
  /** Reads anew, unless that was done a moment ago. */
  refresh(now: number): void
}

const EVERY_MS = 5_000
const LISTEN = '0A'

/** `bind`: the address on which the decoys listen; a wildcard stands for all. */
export function machine(bind: string, readTables: () => readonly string[] = listenTables): Machine {
  const isLocalTrial = isLoopback(bind)
  let addresses: ReadonlySet<string> = new Set()
  let open: ReadonlySet<number> = new Set()
  let readAt = -Infinity

  return {
    isLocalTrial,
    concerns: (src, dst) => addresses.has(dst) && (isLocalTrial || !isOwn(src)),
    isOpen: (port) => open.has(port),
    refresh(now) {
      if (Math.abs(now - readAt) < EVERY_MS) return
      readAt = now
      addresses = new Set(isWildcard(bind) ? localAddresses(bind).map(withoutZone) : [bind])
      open = new Set(readTables().flatMap(listeningPorts))
    },
  }

  function isOwn(src: string): boolean {
    return addresses.has(src) || isLoopback(src)
  }
}

const withoutZone = (address: string): string => address.replace(/%.*$/, '')

/** `sl local_address rem_address st …`: `0: 0100007F:0016 00000000:0000 0A` (proc_pid_net(5)). */
export const listeningPorts = (table: string): number[] =>
  [...table.matchAll(/^\s*\d+: [0-9A-F]+:([0-9A-F]{4}) [0-9A-F]+:[0-9A-F]{4} ([0-9A-F]{2}) /gm)].flatMap(
    ([, port = '', state]) => (state === LISTEN ? [Number.parseInt(port, 16)] : []),
  )

const listenTables = (): string[] =>
  ['/proc/self/net/tcp', '/proc/self/net/tcp6'].map((path) => {
    try {
      return readFileSync(path, 'latin1')
    } catch {
      // A kernel without IPv6.
      return ''
    }
  })
