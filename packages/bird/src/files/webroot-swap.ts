// The pages of a zip take the place of the webroot: written next to it, synced, then swapped by two renames. A Bird that stops
// at any moment has the old pages or the new ones, whole.
import { existsSync, renameSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { isFolder, judgeTree } from '@rookery/kernel/zip/judge.ts'
import { readZip, unpack } from '@rookery/kernel/zip/read.ts'
import { WEBROOT_BYTES, WEBROOT_DEPTH, WEBROOT_FILES } from '@rookery/decoys/services/http/webroot.ts'
import { makeDirectory, syncDirectory } from '@rookery/spool/durable-files.ts'
import { WEBROOT_FOLDER } from '../data-directory.ts'

/** Of the unpacked bytes to the packed ones. */
const RATIO = 100
/** Folders have entries as well. */
const ENTRIES = 2 * WEBROOT_FILES.max

const placesIn = (directory: string) => ({
  current: join(directory, WEBROOT_FOLDER),
  next: join(directory, `${WEBROOT_FOLDER}.new`),
  previous: join(directory, `${WEBROOT_FOLDER}.old`),
})

/** Rejects with an Error that has the reason; then the old pages are as they were. Decoys answer meanwhile. */
export async function replaceWebroot(directory: string, zip: Buffer): Promise<void> {
  finishSwap(directory)
  const entries = readZip(zip, { entries: ENTRIES, unpackedBytes: WEBROOT_BYTES.max, ratio: RATIO })
  judgeTree(entries, { files: WEBROOT_FILES.max, nodes: ENTRIES, depth: WEBROOT_DEPTH.max })
  // Each is unpacked before one is written: a wrong checksum leaves nothing half.
  const files: { readonly name: string; readonly bytes: Buffer }[] = []
  for (const entry of entries.filter((it) => !isFolder(it))) {
    files.push({ name: entry.name, bytes: unpack(entry, WEBROOT_BYTES.max) })
    await turn()
  }
  if (files.length === 0) throw new Error('must be an archive with at least one file')
  const { current, next, previous } = placesIn(directory)
  try {
    makeDirectory(next)
    for (const { name, bytes } of files) await writeSynced(join(next, name), bytes)
    for (const folder of new Set(files.map(({ name }) => dirname(join(next, name))))) syncDirectory(folder)
  } catch (error) {
    rmSync(next, { recursive: true, force: true })
    throw error
  }
  if (existsSync(current)) renameSync(current, previous)
  renameSync(next, current)
  syncDirectory(directory)
  rmSync(previous, { recursive: true, force: true })
}

/** Ends a swap during which the Bird stopped: once the old pages are aside, the new ones are whole. */
export function finishSwap(directory: string): void {
  const { current, next, previous } = placesIn(directory)
  if (!existsSync(current) && existsSync(previous)) renameSync(existsSync(next) ? next : previous, current)
  rmSync(next, { recursive: true, force: true })
  rmSync(previous, { recursive: true, force: true })
}

/** Writes a new file, with the folders above it, and waits until it is on the disk. */
async function writeSynced(path: string, bytes: Buffer): Promise<void> {
  makeDirectory(dirname(path))
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
}
