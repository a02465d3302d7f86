// Reads a MaxMind DB from whatever gives its bytes (MaxMind DB File Format 2.0). Pure.
import type { Address } from '../../../addresses/address-set.ts'
import type { ReadBytes } from './broken-database.ts'
import { decodeMap, type FoundMap, type Wanted } from './decode.ts'
import { readMetadata, SEPARATOR_BYTES, treeBytes, type Metadata } from './metadata.ts'
import { searchTree } from './search-tree.ts'

export interface DatabaseReader {
  readonly metadata: Metadata
  /** What the record of the address has of what is wanted; undefined without a record. Throws `BrokenDatabase`. */
  lookUp(read: ReadBytes, address: Address, wanted: Wanted): FoundMap | undefined
}

/** `tail`: the last `METADATA_BYTES` of `size` bytes, or all. Throws `BrokenDatabase` for bytes that are none. */
export function openReader(tail: Buffer, size: number): DatabaseReader {
  const metadata = readMetadata(tail, size)
  const find = searchTree(metadata)
  const start = treeBytes(metadata) + SEPARATOR_BYTES
  return {
    metadata,
    lookUp(read, address, wanted) {
      const at = find(read, address)
      return at === undefined ? undefined : decodeMap({ read, start, end: metadata.dataEnd }, at, wanted)
    },
  }
}
