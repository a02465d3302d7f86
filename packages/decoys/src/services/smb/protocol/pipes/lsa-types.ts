// SIDs in NDR ([MS-DTYP] 2.4.2.3), and what stands around their names.
import { u32 } from '../../../../windows/fields.ts'
import { STATUS } from '../codec/status.ts'
import type { NdrReader, NdrWriter } from './ndr.ts'

/** The identifier authority and the sub-authorities of a SID. */
export interface Sid {
  readonly authority: number
  readonly parts: readonly number[]
}

export const NT_AUTHORITY = 5
const MAX_PARTS = 15

/** A SID of the NT authority with these sub-authorities. */
export function writeSid(to: NdrWriter, parts: readonly number[]): void {
  to.u32(parts.length)
  to.bytes(Buffer.from([1, parts.length, 0, 0, 0, 0, 0, NT_AUTHORITY]))
  to.bytes(Buffer.concat(parts.map(u32)))
}

export function readSid(from: NdrReader): Sid {
  const count = from.u32()
  const [, partCount = 0, , , , , , authority = 0] = from.bytes(8)
  const isRight = count === partCount && count <= MAX_PARTS
  const parts = Array.from({ length: isRight ? count : 0 }, () => from.u32())
  if (!isRight) from.bytes(-1)
  return { authority, parts }
}

export const sidText = ({ authority, parts }: Sid): string => ['S-1', authority, ...parts].join('-')

/** SID_NAME_USE ([MS-LSAT] 2.2.13). */
export const USE = { user: 1, group: 2, domain: 3, alias: 4, wellKnown: 5, unknown: 8 } as const

/** Of a lookup that found so many. */
export const mappedStatus = (mapped: number, all: number): number =>
  mapped === all ? STATUS.success : mapped === 0 ? STATUS.noneMapped : STATUS.someNotMapped
