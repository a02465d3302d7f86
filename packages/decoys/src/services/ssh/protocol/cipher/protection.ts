// How the packets of one direction are sealed and opened: as functions of the packet and its counters, without state.

/** Where a packet stands in its direction. */
export interface PacketCounters {
  /** Packets so far, modulo 2³² (RFC 4253, 6.4). */
  readonly sequence: number
  /** Packets under these keys. */
  readonly packets: number
  /** Cipher blocks under these keys. */
  readonly blocks: number
}

/**
 * The keys of one direction in use. A packet on the wire:
 *
 *   uint32 packet_length | byte padding_length | payload | padding | tag
 */
export interface Protection {
  /** Packets are padded to a multiple of it; at least 8. */
  readonly blockBytes: number
  /** 4 when the length is outside of the padded part (AEAD, encrypt-then-MAC), 0 when inside. */
  readonly lengthBytes: 0 | 4
  readonly tagBytes: number
  /** The packet length, from the first 4 bytes, or from the first block when `lengthBytes` is 0. */
  readonly length: (head: Buffer, counters: PacketCounters) => number
  /** The packet without length field and tag. Undefined when the tag is wrong. */
  readonly open: (packet: Buffer, counters: PacketCounters) => Buffer | undefined
  /** From the whole unencrypted packet, length field included, to the bytes on the wire. */
  readonly seal: (packet: Buffer, counters: PacketCounters) => Buffer
}

/** Before the first keys. */
export const unencrypted: Protection = {
  blockBytes: 8,
  lengthBytes: 0,
  tagBytes: 0,
  length: (head) => head.readUInt32BE(),
  open: (packet) => packet.subarray(4),
  seal: (packet) => packet,
}
