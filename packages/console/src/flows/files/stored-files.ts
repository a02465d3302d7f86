// Files on their way into the database and out of it: streamed, so that no file is in memory whole.
import { createHash } from 'node:crypto'
import { Fault, required } from '@rookery/kernel/fault.ts'
import { hex } from '@rookery/kernel/ids.ts'
import type { AppContext } from '../../app-context.ts'
import type { Query } from '../../db/query.ts'
import {
  addChunk,
  addFile,
  completeFile,
  readPart,
  releaseFile,
  totalBytes,
  type StoredFileRow,
} from '../../stores/files/store.ts'
import { CHUNK_BYTES, chunksOf, TRANSACTION_BYTES } from './chunks.ts'

export interface NewFile {
  readonly use: StoredFileRow['use']
  /** Who needs it once it is whole. */
  readonly owner: string
  /** As announced; other than so many bytes are refused. */
  readonly size: number
  /** Fewer bytes are right, too: what surrounds them was counted. */
  readonly isAtMost?: boolean
  readonly source: AsyncIterable<Uint8Array>
}

export interface KnownFile {
  readonly fileId: string
  readonly sha256: string
  readonly size: number
}

export interface StoredFilesDeps extends Pick<AppContext, 'writer' | 'world'> {
  /** Of all files together. */
  readonly maxBytes: number
}

export type StoreFile = (file: NewFile) => Promise<KnownFile>

/** Rejects with `unavailable` when all files together would be too large, and with `bad-input` for another size than announced. */
export function storedFiles({ writer, world, maxBytes }: StoredFilesDeps): StoreFile {
  return async ({ use, owner, size: announced, isAtMost = false, source }) => {
    const fileId = hex(world.random, 32)
    await writer.write(async (tx) => {
      const others = await totalBytes(tx.query)
      if (others + announced > maxBytes) throw full(announced, others, maxBytes)
      await addFile(tx, { file_id: fileId, use, size: announced, stored_at: world.clock.now() })
    })
    try {
      const { sha256, size } = await storeChunks(fileId, announced, source)
      if (size < announced && !isAtMost) throw otherSize(announced, size)
      const isThere = await writer.write((tx) => completeFile(tx, fileId, { owner, sha256, size }))
      if (!isThere)
        throw new Fault('unavailable', 'The upload took too long, and was removed. Send it again.')
      return { fileId, sha256, size }
    } catch (error) {
      await writer.write((tx) => releaseFile(tx, fileId))
      throw error
    }
  }

  async function storeChunks(
    fileId: string,
    most: number,
    source: AsyncIterable<Uint8Array>,
  ): Promise<{ readonly sha256: string; readonly size: number }> {
    const hash = createHash('sha256')
    let [n, length] = [0, 0]
    for await (const bytes of inPieces(source, TRANSACTION_BYTES)) {
      length += bytes.byteLength
      if (length > most) throw otherSize(most, length)
      hash.update(bytes)
      const chunks = chunksOf(bytes)
      const first = n
      await writer.write(async (tx) => {
        for (const [index, chunk] of chunks.entries())
          await addChunk(tx, { file_id: fileId, n: first + index, bytes: chunk })
      }, 'ingest')
      n += chunks.length
    }
    return { sha256: hash.digest('hex'), size: length }
  }
}

/** The same bytes in pieces of this size; the last one is what is left. */
async function* inPieces(source: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Uint8Array> {
  let piece = Buffer.allocUnsafe(size)
  let filled = 0
  for await (const bytes of source)
    for (let at = 0; at < bytes.byteLength;) {
      const part = bytes.subarray(at, at + size - filled)
      piece.set(part, filled)
      filled += part.byteLength
      at += part.byteLength
      if (filled < size) continue
      yield piece
      // The database may still hold the one before.
      piece = Buffer.allocUnsafe(size)
      filled = 0
    }
  if (filled > 0) yield piece.subarray(0, filled)
}

const full = (size: number, others: number, maxBytes: number): Fault =>
  new Fault(
    'unavailable',
    `The files of this console take ${others} bytes; with ${size} more they would exceed the ${maxBytes} of ROOKERY_FILES_BYTES. End other uploads, or raise it.`,
  )

const otherSize = (size: number, length: number): Fault =>
  new Fault(
    'bad-input',
    `The file has ${length > size ? 'more than the' : `${length} bytes, not the`} ${size}${length > size ? ' bytes' : ''} that were announced. Send it again, whole.`,
  )

const PIECE_BYTES = 256 * 1024

/** A file from `first` to `end`, in pieces. */
export async function* pieces(
  db: Query,
  file: KnownFile,
  first = 0,
  end = file.size,
): AsyncGenerator<Uint8Array> {
  for (let at = first; at < end; at += PIECE_BYTES)
    yield await readBytes(db, file, at, Math.min(PIECE_BYTES, end - at))
}

/** Up to `length` bytes of a file from `offset`; fewer at its end, and `not-found` when it was removed. */
export async function readBytes(
  db: Query,
  { fileId, size }: KnownFile,
  offset: number,
  length: number,
): Promise<Buffer> {
  const parts: Uint8Array[] = []
  const end = Math.min(size, offset + length)
  for (let at = offset; at < end;) {
    const from = at % CHUNK_BYTES
    const wanted = {
      fileId,
      n: Math.floor(at / CHUNK_BYTES),
      from,
      length: Math.min(CHUNK_BYTES - from, end - at),
    }
    parts.push(required(await readPart(db, wanted), 'The file was deleted.'))
    at += wanted.length
  }
  return Buffer.concat(parts)
}
