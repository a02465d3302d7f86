// 16 MiB kept back on the data disk: freed at the first refusal, so that people can still acknowledge and delete.
import { existsSync, rmSync, statfsSync } from 'node:fs'
import { open, rename, rm, statfs } from 'node:fs/promises'
import type { Clock } from '@rookery/kernel/world.ts'

export interface Reserve {
  /** Frees the reserve; false when it was free already. */
  release(): Promise<boolean>
  released(): boolean
  stop(): void
}

const SIZE = 16 * 1024 * 1024
const LOOK_AGAIN_MS = 1_000
/** What a start needs: a lock, and SQLite's index of the log. */
const LEAST = 1024 * 1024

/** Before anything is written: on a disk that filled up while nobody served, even a lock finds no room. */
export function makeRoom(path: string, folder: string): void {
  const { bavail, bsize } = statfsSync(folder)
  if (bavail * bsize < LEAST) rmSync(path, { force: true })
}

/** Keeps `path` filled with really written bytes (a sparse file would reserve nothing). `onChange` hears both turns. */
export async function keepReserve(
  path: string,
  folder: string,
  clock: Clock,
  onChange: (full: boolean) => void,
): Promise<Reserve> {
  let away = !existsSync(path) && !(await fill(path, folder))
  let cancel: (() => void) | undefined
  let stopped = false

  function look(): void {
    if (stopped) return
    cancel = clock.after(LOOK_AGAIN_MS, () => {
      void fill(path, folder).then((isFilled) => {
        if (!isFilled) return look()
        away = false
        onChange(false)
      })
    })
  }
  if (away) {
    onChange(true)
    look()
  }

  return {
    released: () => away,
    release() {
      if (away) return Promise.resolve(false)
      rmSync(path, { force: true })
      away = true
      onChange(true)
      look()
      return Promise.resolve(true)
    },
    stop() {
      stopped = true
      cancel?.()
    },
  }
}

/** A database elsewhere has its own disk: nothing to keep back. */
export const noReserve: Reserve = {
  release: () => Promise.resolve(false),
  released: () => false,
  stop: () => undefined,
}

/** False while there is no room for it and as much again. Away from the event loop: the disk may be slow. */
async function fill(path: string, folder: string): Promise<boolean> {
  const draft = `${path}.new`
  try {
    const { bavail, bsize } = await statfs(folder)
    if (bavail * bsize < 2 * SIZE) return false
    const file = await open(draft, 'w', 0o600)
    try {
      const block = Buffer.alloc(1024 * 1024, 0x52)
      for (let written = 0; written < SIZE; written += block.length) await file.writeFile(block)
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
