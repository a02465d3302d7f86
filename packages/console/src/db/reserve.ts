// 16 MiB of the data disk, freed when it is full, so that people can still acknowledge and delete.
import { existsSync, rmSync, statfsSync } from 'node:fs'
import { open, rename, rm, statfs } from 'node:fs/promises'
import type { Clock } from '@rookery/kernel/world.ts'
import type { Background } from '../background/background.ts'
import { task } from '../background/task.ts'

export interface Reserve {
  /** Frees the reserve; false when it was free already. */
  release(): Promise<boolean>
  released(): boolean
  stop(): void
}

const RESERVE_BYTES = 16 * 1024 * 1024
const CHECK_MS = 1_000
const TASK = task('disk_reserve', undefined, 'Takes the reserve back once a full disk has room')
/** What a start needs: a lock, and SQLite's index of the log. */
const START_BYTES = 1024 * 1024

/** Called before anything is written: on a disk that filled up since the last stop, even a lock finds no room. */
export function makeRoom(path: string, folder: string): void {
  const { bavail, bsize } = statfsSync(folder)
  if (bavail * bsize < START_BYTES) rmSync(path, { force: true })
}

/** Keeps `path` filled with really written bytes (a sparse file would reserve nothing). `onChange` is called at each change. */
export async function keepReserve(
  path: string,
  folder: string,
  { clock, background }: { readonly clock: Clock; readonly background: Background },
  onChange: (full: boolean) => void,
): Promise<Reserve> {
  let isReleased = !existsSync(path) && !(await fillReserve(path, folder))
  let hasWaited = false

  const refill = background.loop(TASK, {
    clock,
    async run() {
      // What was freed a moment ago is for the callers that were refused.
      const isDue = hasWaited
      hasWaited = true
      if (!isDue || !(await fillReserve(path, folder))) return clock.now() + CHECK_MS
      isReleased = false
      onChange(false)
      return undefined
    },
    onError: () => CHECK_MS,
  })

  function waitForRoom(): void {
    isReleased = true
    hasWaited = false
    onChange(true)
    refill.wake()
  }
  if (isReleased) waitForRoom()

  return {
    released: () => isReleased,
    release() {
      if (isReleased) return Promise.resolve(false)
      rmSync(path, { force: true })
      waitForRoom()
      return Promise.resolve(true)
    },
    stop: () => void refill.stop(),
  }
}

/** A database elsewhere has its own disk: nothing to keep back. */
export const noReserve: Reserve = {
  release: () => Promise.resolve(false),
  released: () => false,
  stop: () => undefined,
}

/** False while there is no room for it and as much again. Away from the event loop: the disk may be slow. */
export async function fillReserve(path: string, folder: string): Promise<boolean> {
  const draft = `${path}.new`
  try {
    const { bavail, bsize } = await statfs(folder)
    if (bavail * bsize < 2 * RESERVE_BYTES) return false
    const file = await open(draft, 'w', 0o600)
    try {
      const block = Buffer.alloc(1024 * 1024, 0x52)
      for (let written = 0; written < RESERVE_BYTES; written += block.length) await file.writeFile(block)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, path)
    return true
  } catch {
    await rm(draft, { force: true }).catch(() => undefined)
    return false
  }
}
