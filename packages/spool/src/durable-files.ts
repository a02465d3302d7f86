// Small files whose content is either the old or the new one, also after a power cut.
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, statSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

/** Replaces the content of a file; only its owner may read it. */
export function replaceFile(path: string, text: string): void {
  const temporary = `${path}.new`
  const fd = openSync(temporary, 'w', 0o600)
  try {
    const bytes = Buffer.from(text)
    for (let written = 0; written < bytes.length;) written += writeSync(fd, bytes, written)
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
  renameSync(temporary, path)
  syncDirectory(dirname(path))
}

/** Makes a directory for its owner alone, and its parents; it survives a power cut. */
export function makeDirectory(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return
  makeDirectory(dirname(path))
  mkdirSync(path, { mode: 0o700 })
  syncDirectory(dirname(path))
}

/** Makes the entries of a directory survive a power cut: files that were created, renamed or removed. */
export function syncDirectory(directory: string): void {
  const fd = openSync(directory, 'r')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}
