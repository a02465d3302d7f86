// How packets of one direction are sealed and opened. Everything is a function of the packet and its place, so that
// looking at half a packet twice changes nothing.

/** Where a packet stands in its direction, since the keys came into use. */
export interface Place {
  /** Counts packets modulo 2³² (RFC 4253, 6.4). */
  readonly sequence: number
  /** Packets under these keys. */
  readonly packets: number
  /** Cipher blocks under these keys. */
  readonly blocks: number
}

/**
 * One direction's keys at work. A packet on the wire:
 *
 *   uint32 packet_length | byte padding_length | payload | padding | tag
 */
export interface Protection {
  /** What the padding aligns to; at least 8. */
  readonly blockBytes: number
  /** 4 when the length stands outside of the aligned part (AEAD, encrypt-then-MAC), 0 when inside. */
  readonly lengthBytes: 0 | 4
  readonly tagBytes: number
  /** The packet length, from the first `max(4, lengthBytes ? 4 : blockBytes)` bytes. */
  readonly length: (head: Buffer, place: Place) => number
  /** From the whole packet, tag included: what follows the length field. Undefined when the tag is wrong. */
  readonly open: (packet: Buffer, place: Place) => Buffer | undefined
  /** From the whole plain packet, length field included: what goes onto the wire. */
  readonly seal: (packet: Buffer, place: Place) => Buffer
}

/** Before the first keys. */
export const plain: Protection = {
  blockBytes: 8,
  lengthBytes: 0,
  tagBytes: 0,
  length: (head) => head.readUInt32BE(),
  open: (packet) => packet.subarray(4),
  seal: (packet) => packet,
}
