// Files take the place of a folder: written next to it, synced, then swapped by two renames. A Bird that stops at any moment
// has the old files or the new ones, whole.
import { existsSync, renameSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { makeDirectory, syncDirectory } from '@rookery/spool/durable-files.ts'

export interface NewFile {
  /** Below the folder, parted by slashes. */
  readonly name: string
  readonly bytes: Buffer
}

const placesOf = (directory: string, folder: string) => ({
  current: join(directory, folder),
  next: join(directory, `${folder}.new`),
  previous: join(directory, `${folder}.old`),
})

/** Takes one file after the other. Rejects with an Error that has the reason; then the old files are as they were. Decoys answer meanwhile. */
export async function swapFolder(directory: string, folder: string, files: Iterable<NewFile>): Promise<void> {
  finishSwap(directory, folder)
  const { current, next, previous } = placesOf(directory, folder)
  try {
    makeDirectory(next)
    const folders = new Set([next])
    for (const { name, bytes } of files) {
      const path = join(next, name)
      await writeSynced(path, bytes)
      folders.add(dirname(path))
      await turn()
    }
    for (const path of folders) syncDirectory(path)
  } catch (error) {
    rmSync(next, { recursive: true, force: true })
    throw error
  }
  if (existsSync(current)) renameSync(current, previous)
  renameSync(next, current)
  syncDirectory(directory)
  rmSync(previous, { recursive: true, force: true })
}

/** Ends a swap during which the Bird stopped: once the old files are aside, the new ones are whole. */
export function finishSwap(directory: string, folder: string): void {
  const { current, next, previous } = placesOf(directory, folder)
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
