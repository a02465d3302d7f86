// Addresses of Birds by Flock: for firewalls and scanners that must leave them alone.
import type { ShownBird } from '../../stores/birds/lists.store.ts'

export type Ips = Record<
  string,
  { name: string; devices: Record<string, { ip_address: string; name: string }> }
>

/** By Flock and Bird; Flocks without Birds are left out. */
export function ipsByFlock(birds: readonly ShownBird[], flockNames: ReadonlyMap<string, string>): Ips {
  const ips: Ips = {}
  for (const { node_id, flock_id, ip_address, name } of birds) {
    const flock = (ips[flock_id] ??= { name: flockNames.get(flock_id) ?? '', devices: {} })
    flock.devices[node_id] = { ip_address, name }
  }
  return ips
}

/** One address a line; with names, a comment line for each Flock and one behind each address. */
export function ipsText(ips: Ips, hasNames: boolean): string {
  const lines = Object.values(ips).flatMap(({ name, devices }) => [
    ...(hasNames ? [`# ${oneLine(name)}`] : []),
    ...Object.values(devices)
      .flatMap(({ ip_address, name }) => ip_address.split(',').map((ip) => ({ ip: ip.trim(), name })))
      .filter(({ ip }) => ip !== '')
      .map(({ ip, name }) => (hasNames ? `${ip} # ${oneLine(name)}` : ip)),
  ])
  return lines.map((line) => line + '\n').join('')
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ')
