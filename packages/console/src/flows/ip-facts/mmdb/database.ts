// A MaxMind DB in a file: what it holds of an address, by a few reads.
import type { Address } from '../../../addresses/address-set.ts'
import type { FoundMap, Wanted } from './decode.ts'
import { METADATA_BYTES, type Metadata } from './metadata.ts'
import { openPagedFile } from './paged-file.ts'
import { openReader } from './reader.ts'

export interface Database {
  readonly metadata: Metadata
  /** Undefined where it has no record. Rejects with `BrokenDatabase`, also once the file was changed where it lies. */
  lookUp(address: Address, wanted: Wanted): Promise<FoundMap | undefined>
  close(): Promise<void>
}

/** Rejects with `BrokenDatabase` for a file that is none, else as the file system does. */
export async function openDatabase(path: string): Promise<Database> {
  const file = await openPagedFile(path)
  try {
    const reader = openReader(await file.readTail(METADATA_BYTES), file.size)
    return {
      metadata: reader.metadata,
      lookUp: (address, wanted) => file.run((read) => reader.lookUp(read, address, wanted)),
      close: file.close,
    }
  } catch (error) {
    await file.close()
    throw error
  }
}
