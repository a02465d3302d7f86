// Who can reach the decoys, by the address on which they listen and the interfaces of the machine.
import { isIPv4 } from 'node:net'
import { networkInterfaces } from 'node:os'
import { isLoopback } from '@rookery/decoys/host/udp/local-addresses.ts'
import type { Reach } from '@rookery/link/messages.ts'

const isUnspecified = (address: string): boolean => /^[0:.]+$/.test(address)

type Interfaces = ReturnType<typeof networkInterfaces>

/** The addresses of decoys that listen on `bind`: of 0.0.0.0 and ::, those of the machine's interfaces; loopback where it has no other. */
export function decoyAddresses(bind: string, interfaces: Interfaces = networkInterfaces()): string[] {
  if (!isUnspecified(bind)) return [bind]
  const usable = Object.values(interfaces)
    .flatMap((entries) => entries ?? [])
    // Without its interface, an IPv6 address of the link names no place.
    .filter(({ address, family, scopeid }) => (family === 'IPv4' || !isIPv4(bind)) && !scopeid && address)
  const outer = usable.filter(({ internal }) => !internal)
  return (outer.length > 0 ? outer : usable).map(({ address }) => address)
}

/** Under which address this Bird is known: that of its way to the console, unless its decoys cannot be touched there. */
export function ownAddress(bind: string, linkAddress: string, interfaces?: Interfaces): string {
  const address = linkAddress.replace(/^::ffff:/, '')
  const addresses = decoyAddresses(bind, interfaces)
  if (addresses.includes(address) || addresses.every(isLoopback)) return address
  return addresses[0] ?? address
}

export const reachOf = (bind: string, interfaces?: Interfaces): Reach =>
  decoyAddresses(bind, interfaces).every(isLoopback) ? 'own-machine' : 'network'
