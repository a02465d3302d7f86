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
  /**
   * Runs `work` again for each page that it lacks: it must be pure, and keep nothing of the bytes. Rejects with what it
   * throws, and with `BrokenDatabase` where a page lies in a file that was changed meanwhile.
   */
  run<T>(work: (read: ReadBytes) => T): Promise<T>
  close(): Promise<void>
}

const PAGE_BYTES = 4_096
/** A mebibyte a file. */
const PAGES = limit('geo_database_pages', 256)
/** A look-up takes some twenty. */
const MAX_LOADS = 100

class PageMissing extends Error {
  page = 0
}

/** Rejects where the file cannot be opened. */
export async function openPagedFile(path: string): Promise<PagedFile> {
  const handle = await open(path, 'r')
  try {
    const { size, mtimeMs } = await handle.stat()
    const pages = openPages(handle, checkUnchanged)
    return {
      size,
      async readTail(length) {
        const wanted = Math.min(length, size)
        const { buffer, bytesRead } = await handle.read(Buffer.alloc(wanted), 0, wanted, size - wanted)
        return buffer.subarray(0, bytesRead)
      },
      async run(work) {
        for (let loads = 0; loads < MAX_LOADS; loads++) {
          try {
            return work(pages.read)
          } catch (error) {
            if (!(error instanceof PageMissing)) throw error
            await pages.load(error.page)
          }
        }
        throw new BrokenDatabase(`has a record that lies in more than ${MAX_LOADS} places`)
      },
      close: () => handle.close(),
    }

    /** Pages of two versions must not be mixed. */
    async function checkUnchanged(): Promise<void> {
      const now = await handle.stat()
      if (now.size !== size || now.mtimeMs !== mtimeMs)
        throw new BrokenDatabase('was changed while it was read')
    }
  } catch (error) {
    await handle.close()
    throw error
  }
}

interface Pages {
  /** Throws `PageMissing`; the bytes are those of another page after the next `load`. */
  readonly read: ReadBytes
  load(page: number): Promise<void>
}

/** `check` rejects where what was read is not to be kept. */
function openPages(handle: FileHandle, check: () => Promise<void>): Pages {
  /** Memory outside the heap is slow to go back: that of pages which left is used again. */
  const spare: Buffer[] = []
  const pages = boundedMap<number, { readonly memory: Buffer; readonly length: number }>(
    PAGES,
    (_page, { memory }) => spare.push(memory),
  )
  const missing = new PageMissing('page is not in memory')

  function pageAt(page: number): Buffer {
    const found = pages.get(page)
    if (found) return found.memory.subarray(0, found.length)
    missing.page = page
    throw missing
  }

  return {
    read(at, length) {
      const first = Math.floor(at / PAGE_BYTES)
      const last = Math.floor((at + length - 1) / PAGE_BYTES)
      const from = at - first * PAGE_BYTES
      const bytes = first === last ? pageAt(first) : Buffer.concat([pageAt(first), pageAt(last)])
      return bytes.subarray(from, from + length)
    },
    async load(page) {
      const memory = spare.pop() ?? Buffer.allocUnsafeSlow(PAGE_BYTES)
      const { bytesRead } = await handle.read(memory, 0, PAGE_BYTES, page * PAGE_BYTES)
      await check()
      // Another look-up may have loaded it meanwhile.
      if (pages.peek(page)) spare.push(memory)
      else pages.set(page, { memory, length: bytesRead })
    },
  }
}
