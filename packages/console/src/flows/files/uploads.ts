// Uploaded files on their way into the database and out of it. The settings of a token hold a reference to each.
import { batcher } from '@rookery/kernel/batcher.ts'
import { required } from '@rookery/kernel/fault.ts'
import { hex } from '@rookery/kernel/ids.ts'
import {
  isStoredFile,
  isUploadedFile,
  type StoredFile,
  type TokenSettings,
} from '@rookery/tokens/settings.ts'
import type { AppContext } from '../../app-context.ts'
import type { Query } from '../../db/query.ts'
import { addFile, addFileChunk, readFileChunk } from '../../stores/tokens/files.store.ts'
import type { TokenTables } from '../../stores/tokens/tables.ts'
import { chunksOf, TRANSACTION_BYTES } from './chunks.ts'

/** Stores the files among the settings; answers the settings with a reference in the place of each. */
export type StoreUploads = (settings: TokenSettings) => Promise<TokenSettings>

export function uploadStore({ writer, world }: Pick<AppContext, 'writer' | 'world'>): StoreUploads {
  const { add } = batcher({
    // Of one large file, or of several small ones that arrive together.
    max: TRANSACTION_BYTES,
    weigh: ({ bytes }) => bytes.byteLength,
    async flush(chunks: readonly TokenTables['token_file_chunk'][]) {
      await writer.write(async (tx) => {
        for (const chunk of chunks) {
          if (chunk.n === 0) await addFile(tx, chunk.file_id, world.clock.now())
          await addFileChunk(tx, chunk)
        }
      }, 'ingest')
      return chunks
    },
  })
  return async (settings) => {
    const stored = { ...settings }
    for (const [name, value] of Object.entries(settings)) {
      if (!isUploadedFile(value)) continue
      const fileId = hex(world.random, 32)
      for (const [n, bytes] of chunksOf(value.bytes).entries()) await add({ file_id: fileId, n, bytes })
      const { filename, contentType, bytes } = value
      stored[name] = { fileId, filename, contentType, size: bytes.byteLength } satisfies StoredFile
    }
    return stored
  }
}

/** The ids of the files that the settings refer to. */
export const fileIdsOf = (settings: TokenSettings): string[] =>
  Object.values(settings)
    .filter(isStoredFile)
    .map(({ fileId }) => fileId)

/** A whole file; `not-found` when it is removed meanwhile. */
export async function readWhole(db: Query, file: StoredFile): Promise<Uint8Array> {
  const whole = Buffer.allocUnsafe(file.size)
  let length = 0
  for await (const bytes of readUpload(db, file)) {
    whole.set(bytes, length)
    length += bytes.byteLength
  }
  return whole
}

/** The pieces of a file in their order; `not-found` when it is removed meanwhile. */
export async function* readUpload(db: Query, { fileId, size }: StoredFile): AsyncGenerator<Uint8Array> {
  for (let n = 0, read = 0; read < size; n++) {
    const bytes = required(await readFileChunk(db, fileId, n), 'The file of the token was deleted.')
    read += bytes.byteLength
    yield bytes
  }
}
