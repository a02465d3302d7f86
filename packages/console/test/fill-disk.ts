// Takes all the room that a small disk has left.
import { closeSync, openSync, writeSync } from 'node:fs'

/** `filler` is a file on it; removing the file gives the room back. */
export function fillDisk(filler: string): void {
  const file = openSync(filler, 'a')
  for (const size of [1024 * 1024, 4096]) {
    try {
      for (;;) writeSync(file, Buffer.alloc(size, 1))
    } catch {
      // Full to this size.
    }
  }
  closeSync(file)
}
