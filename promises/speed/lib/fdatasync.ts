// What the disk itself costs: append one page to a file and wait until it is there.
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'

const PAGE = Buffer.alloc(4096, 7)

/** Milliseconds of each of `times` appends with fdatasync, in a file of this folder. */
export function fdatasyncMs(folder: string, times: number): number[] {
  const file = openSync(join(folder, 'fdatasync'), 'w')
  try {
    return Array.from({ length: times }, () => {
      const startedAt = performance.now()
      writeSync(file, PAGE)
      fdatasyncSync(file)
      return performance.now() - startedAt
    })
  } finally {
    closeSync(file)
  }
}
