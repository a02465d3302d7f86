// The binary packet protocol (RFC 4253, 6) with OpenSSH's limits and words.
import type { Place, Protection } from '../cipher/protection.ts'
import type { Incomplete } from '../../../session.ts'

/** OpenSSH's PACKET_MAX_SIZE: the largest packet length that it takes. */
export const MOST_PACKET_BYTES = 256 * 1024
/** One byte of padding length and the least padding. */
const LEAST_PACKET_BYTES = 5
const LEAST_PADDING = 4

/** One direction: its keys, and where the next packet stands. */
export interface Direction {
  readonly protection: Protection
  readonly place: Place
}

export type PacketFrame =
  | { readonly kind: 'packet'; readonly payload: Buffer; readonly packetLength: number }
  /** What OpenSSH cannot read. It closes, mostly without a word (its "Packet corrupt" is never flushed). */
  | { readonly kind: 'corrupt'; readonly reason?: string }

type Read = { readonly frame: PacketFrame; readonly length: number } | Incomplete | undefined

/** Reads one packet from the front. Pure: half a packet may be looked at again and again. */
export function readPacket(bytes: Buffer, { protection, place }: Direction): Read {
  const { blockBytes, lengthBytes, tagBytes } = protection
  if (bytes.length < (lengthBytes || blockBytes)) return undefined
  const packetLength = protection.length(bytes, place)
  const corrupt = (reason?: string): Read => ({
    frame: reason === undefined ? { kind: 'corrupt' } : { kind: 'corrupt', reason },
    length: bytes.length,
  })
  if (packetLength < LEAST_PACKET_BYTES || packetLength > MOST_PACKET_BYTES) return corrupt()
  const aligned = lengthBytes ? packetLength : 4 + packetLength
  if (aligned % blockBytes !== 0) return corrupt()
  const length = 4 + packetLength + tagBytes
  if (bytes.length < length) return { atLeast: length }
  const text = protection.open(bytes.subarray(0, length), place)
  if (!text) return corrupt()
  const padding = text[0]!
  if (padding < LEAST_PADDING) return corrupt(`Corrupted padlen ${padding} on input.`)
  if (padding + 1 >= packetLength) return corrupt()
  return {
    frame: { kind: 'packet', payload: text.subarray(1, packetLength - padding), packetLength },
    length,
  }
}

/** Where the packet after one of this length stands. */
export function advance({ protection, place }: Direction, packetLength: number): Direction {
  const aligned = protection.lengthBytes ? packetLength : 4 + packetLength
  return {
    protection,
    place: {
      sequence: (place.sequence + 1) >>> 0,
      packets: place.packets + 1,
      blocks: place.blocks + aligned / protection.blockBytes,
    },
  }
}

/** Packs a payload as OpenSSH does: the least padding, zeros before the first keys and random bytes after. */
export function writePacket(
  payload: Buffer,
  direction: Direction,
  random: (length: number) => Buffer,
): { readonly bytes: Buffer; readonly direction: Direction } {
  const { protection, place } = direction
  const { blockBytes, lengthBytes } = protection
  const isPlain = protection.tagBytes === 0
  const unpadded = 5 - lengthBytes + payload.length
  let padding = blockBytes - (unpadded % blockBytes)
  if (padding < LEAST_PADDING) padding += blockBytes
  const packetLength = 1 + payload.length + padding
  const packet = Buffer.alloc(4 + packetLength)
  packet.writeUInt32BE(packetLength, 0)
  packet[4] = padding
  payload.copy(packet, 5)
  if (!isPlain) random(padding).copy(packet, 5 + payload.length)
  return { bytes: protection.seal(packet, place), direction: advance(direction, packetLength) }
}
