// Codes of IOCTL that every server answers alike: what was negotiated, and the interface that a client came in by.
import { isIPv4, isIPv6 } from 'node:net'
import { join, reader, u16, u32, u64, zeros } from '../../../../windows/fields.ts'
import { DIALECT } from '../codec/dialect.ts'
import type { Negotiated } from '../state.ts'

/** Of FSCTL_VALIDATE_NEGOTIATE_INFO ([MS-SMB2] 2.2.31.4 and 2.2.32.6): without the client's dialects, and the answer. */
export const VALIDATED_BYTES = 24

/** Whether nobody changed what the client said; a client of 3.1.1 has no need to ask. */
export function isSameNegotiation({ client, dialect }: Negotiated, input: Buffer): boolean {
  const fields = reader(input)
  const [capabilities, guid, securityMode] = [fields.u32(), fields.bytes(16), fields.u16()]
  const count = fields.u16()
  const dialects = Array.from({ length: Math.min(count, fields.left >> 1) }, () => fields.u16())
  return (
    dialect !== DIALECT.v311 &&
    fields.isIntact &&
    capabilities === client.capabilities &&
    guid.equals(client.guid) &&
    securityMode === client.securityMode &&
    dialects.length === count &&
    dialects.join() === client.dialects.join()
  )
}

export const validated = (
  { capabilities, securityMode, dialect }: Negotiated,
  { guid }: { readonly guid: Buffer },
): Buffer => join(u32(capabilities), guid, u16(securityMode), u16(dialect))

const GIGABIT = 1_000_000_000n

/** NETWORK_INTERFACE_INFO ([MS-SMB2] 2.2.32.5), alone. */
export const networkInterface = (index: number, capability: number, address: Buffer): Buffer =>
  join(u32(0), u32(index), u32(capability), u32(0), u64(GIGABIT), address)

/** SOCKADDR_STORAGE: 128 bytes, with `ipv6` in it if the address is one. */
export function socketAddress(host: string, ipv6: (host: string) => Buffer): Buffer {
  const storage = zeros(128)
  if (isIPv4(host)) {
    storage.writeUInt16LE(2, 0)
    Buffer.from(host.split('.').map(Number)).copy(storage, 4)
  } else if (isIPv6(host)) {
    storage.writeUInt16LE(23, 0)
    ipv6(host).copy(storage, 8)
  }
  return storage
}
