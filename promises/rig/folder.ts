// Folders for a run's data, on a disk: what an fsync costs is half of what is measured.
import { mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const TMPFS = 0x01021994

/** A new folder; below `BENCH_DIR` when that is set. Refuses a file system that lives in memory. */
export function freshFolder(): string {
  const base = process.env['BENCH_DIR'] ?? tmpdir()
  if (statfsSync(base).type === TMPFS)
    throw new Error(
      `${base} lies in memory, where an fsync costs nothing: set BENCH_DIR to a folder on a disk.`,
    )
  return mkdtempSync(join(base, 'rookery-bench-'))
}

export const removeFolder = (path: string): void => rmSync(path, { recursive: true, force: true })
