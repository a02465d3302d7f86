// How a server ends TLS when its peer has ended it, or has broken it.
import { byWord } from '@rookery/kernel/by-word.ts'
import type { TlsProfile } from '../../session/tls-server.ts'

/** By close_notify, or by a FIN alone. */
export type PeerEnd = 'notified' | 'cut'

/** Whether the server's close_notify goes out before its FIN. */
export function sendsNotify({ ends }: TlsProfile, end: PeerEnd | undefined): boolean {
  switch (ends?.withoutNotify) {
    case 'ended':
      return end === undefined
    case 'uncut':
      return end === 'cut'
    case undefined:
      return true
  }
}

const HEADER_BYTES = 5
const APPLICATION_DATA = 23
const CONTENT_TYPES: readonly number[] = [20, 21, 22, APPLICATION_DATA]
const MINOR_OF = byWord<number>({ TLSv1: 1, 'TLSv1.1': 2 })
/** RFC 5246, 6.2.3; no cipher makes a record of less than a tag. */
const MAX_BYTES = 16_384 + 2_048
const MIN_BYTES = 16

/**
 * Whether bytes of the peer are left when the server refuses a record among these, as it reads a header first, then that
 * record.
 */
export function leavesUnread({ ends }: TlsProfile, bytes: Buffer, version: string | null): boolean {
  if (!ends?.leavesUnread) return false
  for (let at = 0; at + HEADER_BYTES <= bytes.length;) {
    const length = bytes.readUInt16BE(at + 3)
    if (!isHeader(bytes.subarray(at, at + 3), version) || length > MAX_BYTES)
      return bytes.length > at + HEADER_BYTES
    at += HEADER_BYTES + length
    if (length < MIN_BYTES) return bytes.length > at
  }
  return false
}

function isHeader([type = 0, major, minor]: Buffer, version: string | null): boolean {
  const isKnown = version === 'TLSv1.3' ? type === APPLICATION_DATA : CONTENT_TYPES.includes(type)
  return isKnown && major === 3 && minor === (MINOR_OF[version ?? ''] ?? 3)
}
