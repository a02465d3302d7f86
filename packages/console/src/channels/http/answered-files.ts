// Uploaded files that tokens answer with: those answered last are kept in memory, because the answer to a touch waits for the
// database no longer than two seconds.
import { limit } from '@rookery/kernel/limit.ts'
import type { Clock } from '@rookery/kernel/world.ts'
import type { StoredFile } from '@rookery/tokens/settings.ts'
import type { ReadFile } from './send-answer.ts'

export interface AnsweredFilesDeps {
  /** Reads it in the database. */
  readonly read: ReadFile
  readonly clock: Pick<Clock, 'after'>
  /** Milliseconds that the first piece of a file may take. */
  readonly leftMs: () => number
}

/** Files being read for the cache, and those being sent from it, count as well. */
const CACHED_BYTES = limit('token_file_cache_bytes', 8 * 1024 * 1024)
/** Reads that the database has not answered, though nobody waits for them any longer. */
const UNANSWERED = limit('token_file_reads_unanswered', 64)

interface CachedFile {
  readonly pieces: Uint8Array[]
  readonly size: number
  /** Answers that it is being sent in, or read for. */
  uses: number
}

/** Its generators reject when the first piece has not come in time, or too many reads are unanswered. */
export function answeredFiles({ read, clock, leftMs }: AnsweredFilesDeps): ReadFile {
  /** By id, the one that was used longest ago first. */
  const cached = new Map<string, CachedFile>()
  let bytes = 0
  let unanswered = 0

  async function firstOf(pieces: AsyncGenerator<Uint8Array>): Promise<IteratorResult<Uint8Array>> {
    if (unanswered >= UNANSWERED.max) {
      UNANSWERED.hit()
      throw new Error(`${UNANSWERED.max} reads of token files are not answered.`)
    }
    const late = Promise.withResolvers<never>()
    unanswered++
    const first = pieces.next().finally(() => unanswered--)
    const cancel = clock.after(leftMs(), () => late.reject(new Error('The file of a token came too late.')))
    return Promise.race([first, late.promise]).finally(cancel)
  }

  /** Whether so many bytes fit, after files that are in no use have gone. */
  function makeRoom(size: number): boolean {
    if (size > CACHED_BYTES.max) return false
    for (const [fileId, file] of cached) {
      if (bytes + size <= CACHED_BYTES.max) break
      if (file.uses > 0) continue
      CACHED_BYTES.hit()
      bytes -= file.size
      cached.delete(fileId)
    }
    return bytes + size <= CACHED_BYTES.max
  }

  async function* sendCached(fileId: string, file: CachedFile): AsyncGenerator<Uint8Array> {
    cached.delete(fileId)
    cached.set(fileId, file)
    file.uses++
    try {
      yield* file.pieces
    } finally {
      file.uses--
    }
  }

  async function* readAndCache({ fileId, size }: StoredFile, pieces: AsyncGenerator<Uint8Array>) {
    const first = await firstOf(pieces)
    const file: CachedFile | undefined = makeRoom(size) ? { pieces: [], size, uses: 0 } : undefined
    if (file) bytes += size
    try {
      for (let piece = first; !piece.done; piece = await pieces.next()) {
        file?.pieces.push(piece.value)
        yield piece.value
      }
      if (file && !cached.has(fileId)) cached.set(fileId, file)
    } finally {
      if (file && cached.get(fileId) !== file) bytes -= size
      void pieces.return(undefined).catch(() => undefined)
    }
  }

  return (file) => {
    const found = cached.get(file.fileId)
    return found ? sendCached(file.fileId, found) : readAndCache(file, read(file))
  }
}
