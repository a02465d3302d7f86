// Files that hold one secret: only their owner reads them, and they survive a power cut once they are written.
import {
  closeSync,
  fchmodSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'

/** Writes the whole file or nothing. Throws EEXIST if it exists, unless it may be replaced. */
export function writeSecretFile(path: string, text: string, mayReplace = false): void {
  const draft = `${path}.draft`
  const file = openSync(draft, 'w', 0o600)
  try {
    // A draft of an earlier run keeps its own mode.
    fchmodSync(file, 0o600)
    writeFileSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  try {
    // A link, unlike a rename, never takes the place of another file.
    if (mayReplace) renameSync(draft, path)
    else linkSync(draft, path)
  } finally {
    rmSync(draft, { force: true })
  }
  syncDirectory(dirname(path))
}

/** Without it, a power cut may take back what was renamed or made in the directory. */
export function syncDirectory(path: string): void {
  const directory = openSync(path, 'r')
  try {
    fsyncSync(directory)
  } finally {
    closeSync(directory)
  }
}
