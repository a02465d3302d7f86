// What a MaxMind DB says of itself, at its end ("Database Metadata").
import { BrokenDatabase } from './broken-database.ts'
import { decodeMap, type Found } from './decode.ts'

export interface Metadata {
  readonly nodeCount: number
  readonly recordBits: 24 | 28 | 32
  readonly ipVersion: 4 | 6
  /** Such as `GeoLite2-City`. */
  readonly type: string
  /** Milliseconds since the epoch. */
  readonly builtAt: number
  /** Where the data ends, and the mark of the metadata begins. */
  readonly dataEnd: number
}

/** Zeros between tree and data. */
export const SEPARATOR_BYTES = 16
/** The metadata begins within so many bytes from the end. */
export const METADATA_BYTES = 131_072

const MARK = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1')
const MAJOR_VERSION = 2
const LAST_INSTANT_S = 8_640_000_000_000

const WANTED = {
  node_count: true,
  record_size: true,
  ip_version: true,
  database_type: true,
  build_epoch: true,
  binary_format_major_version: true,
} as const

export const nodeBytes = ({ recordBits }: Pick<Metadata, 'recordBits'>): number => recordBits / 4

export const treeBytes = (metadata: Pick<Metadata, 'nodeCount' | 'recordBits'>): number =>
  metadata.nodeCount * nodeBytes(metadata)

/** `tail`: the last bytes of a file of `size` bytes. Throws `BrokenDatabase`. */
export function readMetadata(tail: Buffer, size: number): Metadata {
  const mark = tail.lastIndexOf(MARK)
  if (mark < 0) throw new BrokenDatabase('is no MaxMind DB, or it is cut: it has no metadata at its end')
  const start = mark + MARK.length
  const read = (at: number, length: number): Buffer => tail.subarray(at, at + length)
  const found = decodeMap({ read, start, end: tail.length }, start, WANTED)
  const version = found['binary_format_major_version']
  if (version !== MAJOR_VERSION)
    throw new BrokenDatabase(`has the format ${shown(version)} of a MaxMind DB; it must be ${MAJOR_VERSION}`)
  const metadata = {
    nodeCount: count(found['node_count']),
    recordBits: oneOf('record_size', found['record_size'], [24, 28, 32] as const),
    ipVersion: oneOf('ip_version', found['ip_version'], [4, 6] as const),
    type: typeof found['database_type'] === 'string' ? found['database_type'] : '',
    builtAt: typeof found['build_epoch'] === 'number' ? instant(found['build_epoch']) : 0,
    dataEnd: size - tail.length + mark,
  }
  if (treeBytes(metadata) + SEPARATOR_BYTES > metadata.dataEnd)
    throw new BrokenDatabase(`is cut: its ${metadata.nodeCount} nodes do not fit into ${size} bytes`)
  return metadata
}

const instant = (seconds: number): number => Math.min(seconds, LAST_INSTANT_S) * 1_000

function count(found: Found | undefined): number {
  if (typeof found === 'number' && Number.isSafeInteger(found) && found > 0) return found
  throw new BrokenDatabase(`has ${shown(found)} as its node_count; it must be a whole number from 1`)
}

function oneOf<const T extends number>(name: string, found: Found | undefined, allowed: readonly T[]): T {
  const value = allowed.find((it) => it === found)
  if (value !== undefined) return value
  throw new BrokenDatabase(`has ${shown(found)} as its ${name}; it must be one of ${allowed.join(', ')}`)
}

const shown = (found: Found | undefined): string => (found === undefined ? 'nothing' : JSON.stringify(found))
