// Packets of one step, in order, sealed as they are added.
import type { Protection } from './cipher/protection.ts'
import { writePacket, type Direction } from './codec/packet.ts'

export function openOutbox(start: Direction, random: (length: number) => Buffer) {
  let direction = start
  const parts: Buffer[] = []
  return {
    add(payload: Buffer): void {
      const written = writePacket(payload, direction, random)
      direction = written.direction
      parts.push(written.bytes)
    },
    /** Everything added from now on goes out under these keys. */
    rekey(protection: Protection, isStrict: boolean): void {
      direction = rekeyed(direction, protection, isStrict)
    },
    get direction() {
      return direction
    },
    bytes: () => Buffer.concat(parts),
  }
}

/** A direction at the start of new keys; under the strict exchange its packets are counted from 0 again. */
export const rekeyed = ({ place }: Direction, protection: Protection, isStrict: boolean): Direction => ({
  protection,
  place: { sequence: isStrict ? 0 : place.sequence, packets: 0, blocks: 0 },
})
