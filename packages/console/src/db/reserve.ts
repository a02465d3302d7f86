// 16 MiB kept back on the data disk: freed at the first refusal, so that people can still acknowledge and delete.
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  statfsSync,
  writeSync,
} from 'node:fs'
import type { Clock } from '@rookery/kernel/world.ts'

export interface Reserve {
  /** Frees the reserve; false when it was free already. */
  release(): Promise<boolean>
  released(): boolean
  stop(): void
}

const SIZE = 16 * 1024 * 1024
const LOOK_AGAIN_MS = 1_000

/** Keeps `path` filled with really written bytes (a sparse file would reserve nothing). `onChange` hears both turns. */
export function keepReserve(
  path: string,
  folder: string,
  clock: Clock,
  onChange: (full: boolean) => void,
): Reserve {
  let away = !existsSync(path) && !fill(path, folder)
  let cancel: (() => void) | undefined

  function look(): void {
    cancel = clock.after(LOOK_AGAIN_MS, () => {
      if (fill(path, folder)) {
        away = false
        onChange(false)
      } else look()
    })
  }
  if (away) look()

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
    stop: () => cancel?.(),
  }
}

/** A database elsewhere has its own disk: nothing to keep back. */
export const noReserve: Reserve = {
  release: () => Promise.resolve(false),
  released: () => false,
  stop: () => undefined,
}

function fill(path: string, folder: string): boolean {
  const { bavail, bsize } = statfsSync(folder)
  if (bavail * bsize < 2 * SIZE) return false
  const draft = `${path}.new`
  try {
    const file = openSync(draft, 'w', 0o600)
    try {
      const block = Buffer.alloc(1024 * 1024, 0x52)
      for (let written = 0; written < SIZE; written += block.length) writeSync(file, block)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(draft, path)
    return true
  } catch {
    rmSync(draft, { force: true })
    return false
  }
}
