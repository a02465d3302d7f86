// What the Bird tells of its machine.
import { hostname, networkInterfaces, release, type } from 'node:os'
import type { DeviceFacts } from '@rookery/link/messages.ts'

/** The machine as seen from `localAddress`; without one, by its first address that is not loopback. `name` is the settings' name for it, if any. */
export function deviceFacts(localAddress: string, name: unknown): DeviceFacts {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
  const ip = localAddress.replace(/^::ffff:/, '')
  const own = all.find(({ address }) => address === ip) ?? all.find(({ internal }) => !internal)
  return {
    name: (typeof name === 'string' && name ? name : hostname()).slice(0, 255),
    ip: (ip || own?.address) ?? '',
    mac: own?.mac ?? '',
    netmask: own?.netmask ?? '',
    os: `${type()} ${release()}`.slice(0, 255),
  }
}
