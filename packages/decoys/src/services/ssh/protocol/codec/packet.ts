// The binary packet protocol (RFC 4253, 6) with OpenSSH's limits and error texts.
import type { Incomplete } from '../../../../session/session.ts'
import type { PacketCounters, Protection } from '../cipher/protection.ts'

/** OpenSSH's PACKET_MAX_SIZE: the largest packet length that it accepts. */
export const MAX_PACKET_BYTES = 256 * 1024
/** One byte of padding length and the least padding. */
const MIN_PACKET_BYTES = 5
const MIN_PADDING = 4

/** One direction of a connection: its keys, and the counters of its next packet. */
export interface Direction {
  readonly protection: Protection
  readonly counters: PacketCounters
}

export const newDirection = (protection: Protection, sequence = 0): Direction => ({
  protection,
  counters: { sequence, packets: 0, blocks: 0 },
})

/** A direction at its first packet under new keys. The strict key exchange restarts the sequence numbers. */
export const withNewKeys = ({ counters }: Direction, protection: Protection, isStrict: boolean): Direction =>
  newDirection(protection, isStrict ? 0 : counters.sequence)

export const restartSequence = ({ protection, counters }: Direction): Direction => ({
  protection,
  counters: { ...counters, sequence: 0 },
})

export type PacketFrame =
  | { readonly kind: 'packet'; readonly payload: Buffer; readonly packetLength: number }
  /** OpenSSH cannot read it and closes, mostly without a message (its "Packet corrupt" is never flushed). */
  | { readonly kind: 'corrupt'; readonly reason?: string }

type Read = { readonly frame: PacketFrame; readonly length: number } | Incomplete | undefined

/** Reads one packet from the front. Pure: it may be called again with more of the same packet. */
export function readPacket(bytes: Buffer, { protection, counters }: Direction): Read {
  const { blockBytes, lengthBytes, tagBytes } = protection
  if (bytes.length < (lengthBytes || blockBytes)) return undefined
  const packetLength = protection.length(bytes, counters)
  const corrupt = (read: number, reason?: string): Read => ({
    frame: reason === undefined ? { kind: 'corrupt' } : { kind: 'corrupt', reason },
    length: read,
  })
  if (packetLength < MIN_PACKET_BYTES || packetLength > MAX_PACKET_BYTES)
    return corrupt(lengthBytes || blockBytes)
  const aligned = lengthBytes ? packetLength : 4 + packetLength
  if (aligned % blockBytes !== 0) return corrupt(lengthBytes || blockBytes)
  const length = 4 + packetLength + tagBytes
  if (bytes.length < length) return { atLeast: length }
  const text = protection.open(bytes.subarray(0, length), counters)
  if (!text) return corrupt(length)
  const padding = text[0]!
  if (padding < MIN_PADDING) return corrupt(length, `Corrupted padlen ${padding} on input.`)
  if (padding + 1 >= packetLength) return corrupt(length)
  return {
    frame: { kind: 'packet', payload: text.subarray(1, packetLength - padding), packetLength },
    length,
  }
}

/** The direction after a packet of this length. */
export function advance({ protection, counters }: Direction, packetLength: number): Direction {
  const aligned = protection.lengthBytes ? packetLength : 4 + packetLength
  return {
    protection,
    counters: {
      sequence: (counters.sequence + 1) >>> 0,
      packets: counters.packets + 1,
      blocks: counters.blocks + aligned / protection.blockBytes,
    },
  }
}

/** Writes a packet as OpenSSH does: with the least padding, of zeros before the first keys and of random bytes after. */
export function writePacket(
  payload: Buffer,
  direction: Direction,
  random: (length: number) => Buffer,
): { readonly bytes: Buffer; readonly direction: Direction } {
  const { protection, counters } = direction
  const { blockBytes, lengthBytes } = protection
  const isEncrypted = protection.tagBytes > 0
  const unpadded = 5 - lengthBytes + payload.length
  const fill = blockBytes - (unpadded % blockBytes)
  const padding = fill < MIN_PADDING ? fill + blockBytes : fill
  const packetLength = 1 + payload.length + padding
  const packet = Buffer.alloc(4 + packetLength)
  packet.writeUInt32BE(packetLength, 0)
  packet[4] = padding
  payload.copy(packet, 5)
  if (isEncrypted) random(padding).copy(packet, 5 + payload.length)
  return { bytes: protection.seal(packet, counters), direction: advance(direction, packetLength) }
}
