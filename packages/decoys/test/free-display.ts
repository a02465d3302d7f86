// A display for an X server of a proof. One that died has left its lock, and another process may have its number since.
import { readdirSync } from 'node:fs'

/** Whatever TMPDIR says: X servers lock here. */
const FOLDER = '/tmp'

/** The lowest number from `first` on that no X server of this machine has locked, or listens at (Xserver(1)), such as `:57`. */
export function freeDisplay(first: number, folder = FOLDER): `:${number}` {
  const taken = new Set([...list(folder), ...list(`${folder}/.X11-unix`)])
  for (let number = first; ; number += 1)
    if (!taken.has(`.X${number}-lock`) && !taken.has(`X${number}`)) return `:${number}`
}

function list(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
