// A block of the search index: incidents of one stretch of numbers, column by column, little-endian (decision 0012).
//
//   numbers  u32  incident_id less the block's first
//   kinds    u16  place in the block's list of kinds
//   sources  u32  an IPv4 address, or the number of a listed source
//   states   u8   1 acknowledged, 2 deleted, 4 the source is a listed one
//   times    f64  created_at
//   list     u32  kind_id of each kind of the block
import { ipv4Value } from '../../net/ipv4.ts'
import type { IncidentRow } from './filter.store.ts'

export const BLOCK_ROWS = 8_192
/** Numbers of one block lie closer together than this; a restored database leaps. */
const SPAN = 2 ** 32

export const ACKNOWLEDGED = 1
export const DELETED = 2
export const LISTED = 4

export const COLUMNS = { numbers: 0, kinds: 1, sources: 2, states: 3, times: 4, list: 5 } as const
export type Column = keyof typeof COLUMNS

/** What incidents share that have the same kind: all that search asks of them but source, time and state. */
export interface Kind {
  readonly logtype: string
  readonly summary: string
  readonly node_id: string
  readonly flock_id: string
  readonly dst_host: string
}

export type Indexed = Kind & Pick<IncidentRow, 'incident_id' | 'created_at' | 'src_host'>

export interface BlockHead {
  readonly block: number
  readonly first_id: number
  readonly last_id: number
  readonly n: number
  readonly oldest_at: number
  readonly newest_at: number
}

/** A block whose kinds and listed sources have no numbers yet, and whose states are not read yet. */
export interface Draft {
  readonly head: Omit<BlockHead, 'block'>
  readonly numbers: Uint32Array
  readonly kindOf: Uint16Array
  readonly sources: Uint32Array
  readonly times: Float64Array
  readonly kinds: readonly Kind[]
  /** Sources that are no IPv4 addresses, with the places where they stand. */
  readonly listed: ReadonlyMap<string, readonly number[]>
}

/** Packs a full block of incidents, by rising number; fewer where the numbers leap; undefined while there are too few. */
export function pack(rows: readonly Indexed[], blockRows: number): Draft | undefined {
  const first = rows[0]
  if (!first) return undefined
  const leap = rows.findIndex((row) => row.incident_id - first.incident_id >= SPAN)
  const n = leap < 0 ? rows.length : leap
  if (leap < 0 && n < blockRows) return undefined
  const draft = {
    numbers: new Uint32Array(n),
    kindOf: new Uint16Array(n),
    sources: new Uint32Array(n),
    times: new Float64Array(n),
  }
  const kinds: Kind[] = []
  const places = new Map<string, number>()
  const listed = new Map<string, number[]>()
  let oldest = Infinity
  let newest = -Infinity
  for (let at = 0; at < n; at++) {
    const row = rows[at] as Indexed
    const key = kindKey(row)
    let place = places.get(key)
    if (place === undefined) {
      places.set(key, (place = kinds.length))
      const { logtype, summary, node_id, flock_id, dst_host } = row
      kinds.push({ logtype, summary, node_id, flock_id, dst_host })
    }
    const address = ipv4Value(row.src_host)
    if (address === undefined) {
      const standing = listed.get(row.src_host)
      if (standing) standing.push(at)
      else listed.set(row.src_host, [at])
    }
    draft.numbers[at] = row.incident_id - first.incident_id
    draft.kindOf[at] = place
    draft.sources[at] = address ?? 0
    draft.times[at] = row.created_at
    oldest = Math.min(oldest, row.created_at)
    newest = Math.max(newest, row.created_at)
  }
  const last_id = (rows[n - 1] as Indexed).incident_id
  const head = { first_id: first.incident_id, last_id, n, oldest_at: oldest, newest_at: newest }
  return { head, ...draft, kinds, listed }
}

/** One text for a kind; no part holds a NUL. */
export const kindKey = ({ logtype, summary, node_id, flock_id, dst_host }: Kind): string =>
  `${node_id}\0${logtype}\0${flock_id}\0${dst_host}\0${summary}`

type Cells = Uint8Array | Uint16Array | Uint32Array | Float64Array

export const bytesOf = (cells: Cells): Uint8Array =>
  new Uint8Array(cells.buffer, cells.byteOffset, cells.byteLength)

/** The bytes as their type wants them: at an even address. A Buffer's own `slice` would copy nothing. */
const aligned = (bytes: Uint8Array): ArrayBuffer =>
  bytes.byteOffset === 0 && bytes.byteLength === bytes.buffer.byteLength
    ? (bytes.buffer as ArrayBuffer)
    : (Uint8Array.prototype.slice.call(bytes).buffer as ArrayBuffer)

export const asU16 = (bytes: Uint8Array): Uint16Array => new Uint16Array(aligned(bytes))
export const asU32 = (bytes: Uint8Array): Uint32Array => new Uint32Array(aligned(bytes))
export const asF64 = (bytes: Uint8Array): Float64Array => new Float64Array(aligned(bytes))
