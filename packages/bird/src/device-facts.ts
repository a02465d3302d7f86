// The Bird's machine, as HELLO describes it.
import { arch, hostname, networkInterfaces, platform, release, type } from 'node:os'
import type { DeviceFacts } from '@rookery/link/messages.ts'

/** What the software was built for, such as `linux-x64`. */
export const installedSensor = (): string => `${platform()}-${arch()}`

/**
 * The interface with `address`, the Bird's own, or else the first that is not loopback.
 * `name` is the Bird's name in its settings; without one it is called as its machine.
 */
export function deviceFacts(address: string, name: unknown): DeviceFacts {
  const interfaces = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
  const own = interfaces.find((it) => it.address === address) ?? interfaces.find(({ internal }) => !internal)
  return {
    name: (typeof name === 'string' && name ? name : hostname()).slice(0, 255),
    ip: (address || own?.address) ?? '',
    mac: own?.mac ?? '',
    netmask: own?.netmask ?? '',
    os: `${type()} ${release()}`.slice(0, 255),
    sensor: installedSensor(),
  }
}
