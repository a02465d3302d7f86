// A block of the search index: incidents of one stretch of numbers, column by column, little-endian (decision 0012).
// Rows stand by kind, and by rising number within one: what a search decides for a kind, it decides for a run of rows. Kinds
// and addresses rise, so that a few are found among many without looking at each.
//
//   list     u32 kind_id of each kind, then for each kind u16 the place behind its last row
//   numbers  u32 incident_id less the block's first
//   states   u8  1 acknowledged, 2 deleted
//   times    f64 created_at
//   sources  u32 how many IPv4 addresses there are, then each once, then the number of each listed source
//   origins  u16 place of the row's source among these
import { ipv4Value } from '../../net/ipv4.ts'
import type { IncidentRow } from './filter.store.ts'

export const BLOCK_ROWS = 8_192
/** Incidents behind the last full block that are worth a provisional one, which the next full one takes in. */
export const PROVISIONAL_ROWS = 1_024
/** Numbers of one block lie closer together than this; a restored database leaps. */
const SPAN = 2 ** 32
/** A head that lists more would be read for longer than it spares. */
const MOST_NETWORKS = 64

export const ACKNOWLEDGED = 1
export const DELETED = 2

export const COLUMNS = { numbers: 0, sources: 1, origins: 2, states: 3, times: 4, list: 5 } as const
export type Column = keyof typeof COLUMNS
export const COLUMN_NAMES = Object.keys(COLUMNS) as Column[]

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
  /** How many of its incidents are; who is both counts in both. */
  readonly acknowledged: number
  readonly deleted: number
  /** The upper 16 bits of its IPv4 sources, with commas between; empty where they are too many to list. */
  readonly networks: string
  readonly provisional: 0 | 1
}

/** A block whose new kinds and listed sources have no numbers yet, and whose states are not read yet. */
export interface Draft {
  readonly head: Omit<BlockHead, 'block' | 'acknowledged' | 'deleted' | 'provisional'>
  /** Those that have a number, by it, and then those that have none. */
  readonly kinds: readonly KindRun[]
  readonly numbers: Uint32Array
  readonly times: Float64Array
  readonly addresses: Uint32Array
  /** Sources that are no IPv4 addresses. */
  readonly listed: readonly string[]
  readonly origins: Uint16Array
}

export interface KindRun {
  readonly kind: Kind
  readonly id: number | undefined
  /** The place behind its last row. */
  readonly end: number
}

/** Of incidents given by rising number those that make a full block; fewer where the numbers leap; none while there are too few. */
export function fullBlock(rows: readonly Indexed[], blockRows: number): readonly Indexed[] {
  const first = rows[0]?.incident_id ?? 0
  const leap = rows.findIndex((row) => row.incident_id - first >= SPAN)
  if (leap >= 0) return rows.slice(0, leap)
  return rows.length < blockRows ? [] : rows
}

/** Packs a block; `idOf` answers the numbers of the kinds that have one, by their `kindKey`. */
export function pack(rows: readonly Indexed[], idOf: ReadonlyMap<string, number>): Draft {
  const runs = new Map<string, Indexed[]>()
  for (const row of rows) {
    const key = kindKey(row)
    const run = runs.get(key)
    if (run) run.push(row)
    else runs.set(key, [row])
  }
  const byKind = [...runs].map(([key, run]) => ({ id: idOf.get(key), run }))
  byKind.sort((a, b) => (a.id ?? Infinity) - (b.id ?? Infinity) || 0)
  const ordered = byKind.flatMap(({ run }) => run)

  const sources = ordered.map(({ src_host }) => ipv4Value(src_host) ?? src_host)
  const distinct = [...new Set(sources)]
  const addresses = Uint32Array.from(distinct.filter((it) => typeof it === 'number')).sort()
  const listed = distinct.filter((it) => typeof it === 'string')
  const places = new Map([...addresses, ...listed].map((source, place) => [source, place]))

  const first_id = rows[0]?.incident_id ?? 0
  const times = Float64Array.from(ordered, ({ created_at }) => created_at)
  let end = 0
  return {
    head: {
      first_id,
      last_id: rows.at(-1)?.incident_id ?? 0,
      n: rows.length,
      oldest_at: times.reduce((a, b) => Math.min(a, b), Infinity),
      newest_at: times.reduce((a, b) => Math.max(a, b), -Infinity),
      networks: networksOf(addresses),
    },
    kinds: byKind.map(({ id, run }) => ({ id, kind: kindOf(run[0] as Indexed), end: (end += run.length) })),
    numbers: Uint32Array.from(ordered, ({ incident_id }) => incident_id - first_id),
    times,
    addresses,
    listed,
    origins: Uint16Array.from(sources, (source) => places.get(source) ?? 0),
  }
}

function networksOf(addresses: Uint32Array): string {
  const networks = new Set(Array.from(addresses, (address) => address >>> 16))
  return networks.size > MOST_NETWORKS ? '' : [...networks].join()
}

const kindOf = ({ logtype, summary, node_id, flock_id, dst_host }: Kind): Kind => ({
  logtype,
  summary,
  node_id,
  flock_id,
  dst_host,
})

/** One text for a kind; no part holds a NUL. */
export const kindKey = ({ logtype, summary, node_id, flock_id, dst_host }: Kind): string =>
  `${node_id}\0${logtype}\0${flock_id}\0${dst_host}\0${summary}`

/** The kinds of a block and where the rows of each end. */
export interface KindList {
  readonly ids: Uint32Array
  readonly ends: Uint16Array
}

export interface Sources {
  readonly addresses: Uint32Array
  /** Numbers of sources that are no IPv4 addresses. */
  readonly listed: Uint32Array
}

type Cells = Uint8Array | Uint16Array | Uint32Array | Float64Array

export const bytesOf = (...cells: readonly Cells[]): Uint8Array =>
  Buffer.concat(cells.map((it) => new Uint8Array(it.buffer, it.byteOffset, it.byteLength)))

/** The bytes as their type wants them: at an even address. A Buffer's own `slice` would copy nothing. */
const aligned = (bytes: Uint8Array): ArrayBuffer =>
  bytes.byteOffset === 0 && bytes.byteLength === bytes.buffer.byteLength
    ? (bytes.buffer as ArrayBuffer)
    : (Uint8Array.prototype.slice.call(bytes).buffer as ArrayBuffer)

export const asU16 = (cells: Uint8Array): Uint16Array => new Uint16Array(aligned(cells))
export const asU32 = (cells: Uint8Array): Uint32Array => new Uint32Array(aligned(cells))
export const asF64 = (cells: Uint8Array): Float64Array => new Float64Array(aligned(cells))

export function asKindList(cells: Uint8Array): KindList {
  const buffer = aligned(cells)
  const kinds = buffer.byteLength / (Uint32Array.BYTES_PER_ELEMENT + Uint16Array.BYTES_PER_ELEMENT)
  return {
    ids: new Uint32Array(buffer, 0, kinds),
    ends: new Uint16Array(buffer, kinds * Uint32Array.BYTES_PER_ELEMENT, kinds),
  }
}

export function asSources(bytes: Uint8Array): Sources {
  const all = asU32(bytes)
  const behind = 1 + (all[0] ?? 0)
  return { addresses: all.subarray(1, behind), listed: all.subarray(behind) }
}

export const sourceBytes = (addresses: Uint32Array, listed: readonly number[]): Uint8Array =>
  bytesOf(Uint32Array.of(addresses.length), addresses, Uint32Array.from(listed))
