// Nobody but its owner may read the data directory: found and repaired here, whatever a copy or a restore has left.
import { chmodSync, existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Fault } from '@rookery/kernel/fault.ts'
import type { DataFolder } from './data-folder.ts'

export interface ExposedFile {
  readonly path: string
  /** Octal digits. */
  readonly mode: string
  /** What it should be. */
  readonly privateMode: string
}

/** The directory and its files that hold secrets, where their mode has bits for the group or for others. */
export function exposedFiles(folder: DataFolder): ExposedFile[] {
  const { path, masterKey, nextMasterKey, oldMasterKey, adminKey, tokensAuthority, database } = folder
  const keys = [masterKey, nextMasterKey, oldMasterKey, adminKey, tokensAuthority]
  const databaseFiles = ['', '-wal', '-shm'].map((suffix) => database + suffix)
  return exposedAmong([path, ...keys, ...databaseFiles])
}

/** The same of a folder, such as a backup, and of what is in it, but for links: they lead elsewhere. None without a folder. */
export function exposedBelow(path: string): ExposedFile[] {
  if (!existsSync(path)) return []
  const inside = readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isSymbolicLink())
    .map(({ parentPath, name }) => join(parentPath, name))
  return exposedAmong([path, ...inside])
}

const exposedAmong = (paths: readonly string[]): ExposedFile[] =>
  paths.flatMap((file) => {
    const mode = (statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & 0o777
    if ((mode & 0o077) === 0) return []
    return [{ path: file, mode: mode.toString(8), privateMode: (mode & 0o700).toString(8) }]
  })

/** Takes those bits away and reports each file; a `conflict` names the first one whose mode cannot be changed. */
export function repairModes(folder: DataFolder, report: (repaired: ExposedFile) => void): void {
  for (const file of exposedFiles(folder)) {
    repairMode(file)
    report(file)
  }
}

/** Takes those bits away; throws `conflict` where the mode cannot be changed. */
export function repairMode({ path, mode, privateMode }: ExposedFile): void {
  try {
    chmodSync(path, Number.parseInt(privateMode, 8))
  } catch (cause) {
    throw new Fault(
      'conflict',
      `${path} has mode ${mode}: others may read it, and it cannot be changed: ${(cause as Error).message}. Its owner must run chmod ${privateMode}.`,
      { cause },
    )
  }
}
