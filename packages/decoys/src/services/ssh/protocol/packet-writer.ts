// Seals the packets of one step as they are added.
import type { Protection } from './cipher/protection.ts'
import { withNewKeys, writePacket, type Direction } from './codec/packet.ts'

export function packetWriter(start: Direction, random: (length: number) => Buffer) {
  let direction = start
  const packets: Buffer[] = []
  return {
    add(payload: Buffer): void {
      const written = writePacket(payload, direction, random)
      direction = written.direction
      packets.push(written.bytes)
    },
    /** Seals every later packet under these keys. */
    rekey(protection: Protection, isStrict: boolean): void {
      direction = withNewKeys(direction, protection, isStrict)
    },
    /** The state of the direction after the last packet. */
    get direction() {
      return direction
    },
    bytes: () => Buffer.concat(packets),
  }
}
