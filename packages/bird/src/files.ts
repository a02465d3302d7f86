// Small files that are always either the old or the new, also after a power cut.
import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

/** Replaces the file's content; only its owner may read it. */
export function writeWhole(path: string, text: string): void {
  const temporary = `${path}.new`
  const fd = openSync(temporary, 'w', 0o600)
  try {
    const bytes = Buffer.from(text)
    for (let done = 0; done < bytes.length;) done += writeSync(fd, bytes, done)
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
  renameSync(temporary, path)
  syncFolder(dirname(path))
}

/** Makes what was created, renamed or removed in the folder survive a power cut. */
export function syncFolder(folder: string): void {
  const fd = openSync(folder, 'r')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}
