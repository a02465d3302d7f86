// What journal.c has written: every change of the files below a folder, in the order in which they were made.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The kinds of journal.c, from 1 on. */
const KINDS = [
  'opened',
  'written',
  'truncated',
  'synced',
  'renamed',
  'removed',
  'directory-made',
  'directory-synced',
  'linked',
] as const

export interface JournalRecord {
  readonly kind: (typeof KINDS)[number]
  /** Rises over all processes; of a sync, `offset` is the number up to which changes are durable. */
  readonly number: number
  readonly inode: number
  readonly offset: number
  readonly path: string
  readonly bytes: Buffer
}

const HEAD_BYTES = 44

/** Compiles the library that is preloaded, into `folder`; answers its path. */
export function compileJournal(folder: string): string {
  const library = join(folder, 'journal.so')
  const source = join(import.meta.dirname, 'journal.c')
  try {
    execFileSync('cc', ['-shared', '-fPIC', '-O2', '-o', library, source, '-lpthread'], { stdio: 'pipe' })
  } catch (error) {
    throw new Error(
      `A power cut cannot be simulated: ${(error as Error).message.trim()}. This gate needs Linux and a C compiler, cc.`,
      { cause: error },
    )
  }
  return library
}

/** The environment that makes a process journal its changes below `root` into `folder`. */
export const journaling = (library: string, root: string, folder: string): Record<string, string> => ({
  LD_PRELOAD: library,
  POWER_ROOT: root,
  POWER_JOURNAL: folder,
  // About what a good disk takes.
  POWER_SYNC_US: '1000',
  // Only calls of the C library are journaled.
  UV_USE_IO_URING: '0',
})

/** The journals of all processes in one order. */
export function readJournals(folder: string): JournalRecord[] {
  const records = readdirSync(folder).flatMap((name) => recordsOf(readFileSync(join(folder, name))))
  return records.sort((a, b) => a.number - b.number)
}

/** Whole records; a killed process may leave a part of one, of a change that was not answered. */
function recordsOf(journal: Buffer): JournalRecord[] {
  const records: JournalRecord[] = []
  for (let at = 0; at + HEAD_BYTES <= journal.length;) {
    const word = (nth: number): number => Number(journal.readBigUInt64LE(at + 8 * nth))
    const kind = KINDS[word(0) - 1]
    if (kind === undefined) throw new Error(`The journal has a record of the kind ${word(0)} at byte ${at}.`)
    const pathAt = at + HEAD_BYTES
    const bytesAt = pathAt + journal.readUInt32LE(at + 40)
    // A new length, and what a sync covers, are numbers without bytes.
    const end = bytesAt + word(4)
    if (end > journal.length) break
    records.push({
      kind,
      number: word(1),
      inode: word(2),
      offset: word(3),
      path: journal.toString('utf8', pathAt, bytesAt),
      bytes: journal.subarray(bytesAt, end),
    })
    at = end
  }
  return records
}
