// Whether this process may open packet sockets.
import { readFileSync } from 'node:fs'

/** linux/capability.h */
const CAP_NET_RAW = 13n

/** A phrase: why not, and what would change it; undefined when it may. */
export function captureObstacle(
  platform: string = process.platform,
  readStatus: () => string = () => readFileSync('/proc/self/status', 'utf8'),
): string | undefined {
  if (platform !== 'linux') return `packets are read on Linux alone, and this is ${platform}`
  const [, effective = '0'] = /^CapEff:\s*([0-9a-f]+)$/m.exec(readStatus()) ?? []
  if ((BigInt(`0x${effective}`) >> CAP_NET_RAW) & 1n) return undefined
  return 'the process lacks CAP_NET_RAW; grant it with `AmbientCapabilities=CAP_NET_RAW` in its systemd unit, or start it by `setpriv --inh-caps +net_raw --ambient-caps +net_raw`'
}
