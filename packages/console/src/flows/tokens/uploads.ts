// Uploaded files on their way into the database and out of it. The settings of a token hold a reference to each.
import { required } from '@rookery/kernel/fault.ts'
import { hex } from '@rookery/kernel/ids.ts'
import {
  isStoredFile,
  isUploadedFile,
  type StoredFile,
  type TokenSettings,
  type UploadedFile,
} from '@rookery/tokens/settings.ts'
import type { AppContext } from '../../app-context.ts'
import type { Query } from '../../db/query.ts'
import { addFile, addFileChunk, readFileChunk } from '../../stores/tokens/files.store.ts'

const CHUNK_BYTES = 256 * 1024

/** Stores the files among the settings; answers the settings with a reference in the place of each. */
export async function storeUploads(
  { writer, world }: Pick<AppContext, 'writer' | 'world'>,
  settings: TokenSettings,
): Promise<TokenSettings> {
  const stored = { ...settings }
  for (const [name, value] of Object.entries(settings)) {
    if (!isUploadedFile(value)) continue
    const fileId = hex(world.random, 32)
    await writer.write((tx) => addFile(tx, fileId, world.clock.now()), 'ingest')
    for (const [n, bytes] of chunksOf(value).entries())
      await writer.write((tx) => addFileChunk(tx, { file_id: fileId, n, bytes }), 'ingest')
    const { filename, contentType, bytes } = value
    stored[name] = { fileId, filename, contentType, size: bytes.byteLength } satisfies StoredFile
  }
  return stored
}

const chunksOf = ({ bytes }: UploadedFile): Uint8Array[] =>
  Array.from({ length: Math.ceil(bytes.byteLength / CHUNK_BYTES) }, (_, n) =>
    bytes.subarray(n * CHUNK_BYTES, (n + 1) * CHUNK_BYTES),
  )

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
