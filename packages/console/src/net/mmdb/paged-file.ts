// A file that is read in pages, the last used of which stay in memory: a database of 100 MB is never read as a whole.
import { open, type FileHandle } from 'node:fs/promises'
import { boundedMap } from '@rookery/kernel/bounded-map.ts'
import { limit } from '@rookery/kernel/limit.ts'
import { BrokenDatabase, type ReadBytes } from './broken-database.ts'

export interface PagedFile {
  /** In bytes, when it was opened. */
  readonly size: number
  /** The last bytes, at most as many as asked for. */
  readTail(length: number): Promise<Buffer>
  /** Runs `work` again for each page that it lacks, so it must be pure. Rejects with what it throws. */
  run<T>(work: (read: ReadBytes) => T): Promise<T>
  /** Whether it still has the size and the time of change that it was opened with. */
  isUnchanged(): Promise<boolean>
  close(): Promise<void>
}

const PAGE_BYTES = 4_096
/** A mebibyte a file. */
const PAGES = limit('geo_database_pages', 256)
/** A look-up takes some twenty. */
const MOST_LOADS = 100

class PageMissing extends Error {
  readonly page: number
  constructor(page: number) {
    super('page is not in memory')
    this.page = page
  }
}

/** Rejects where the file cannot be opened. */
export async function openPagedFile(path: string): Promise<PagedFile> {
  const handle = await open(path, 'r')
  try {
    const { size, mtimeMs } = await handle.stat()
    const pages = boundedMap<number, Buffer>(PAGES)

    function pageOf(page: number): Buffer {
      const bytes = pages.get(page)
      if (!bytes) throw new PageMissing(page)
      return bytes
    }

    const read: ReadBytes = (at, length) => {
      const first = Math.floor(at / PAGE_BYTES)
      const last = Math.floor((at + length - 1) / PAGE_BYTES)
      const from = at - first * PAGE_BYTES
      if (first === last) return pageOf(first).subarray(from, from + length)
      const both = Buffer.concat([pageOf(first), pageOf(last)])
      return both.subarray(from, from + length)
    }

    return {
      size,
      readTail: (length) => readAt(handle, Math.max(0, size - length), Math.min(length, size)),
      async run(work) {
        for (let loads = 0; loads < MOST_LOADS; loads++) {
          try {
            return work(read)
          } catch (error) {
            if (!(error instanceof PageMissing)) throw error
            pages.set(error.page, await readAt(handle, error.page * PAGE_BYTES, PAGE_BYTES))
          }
        }
        throw new BrokenDatabase(`has a record that lies in more than ${MOST_LOADS} places`)
      },
      async isUnchanged() {
        const now = await handle.stat()
        return now.size === size && now.mtimeMs === mtimeMs
      },
      close: () => handle.close(),
    }
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** Fewer bytes where the file ends. */
async function readAt(handle: FileHandle, at: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafeSlow(length), 0, length, at)
  return buffer.subarray(0, bytesRead)
}
