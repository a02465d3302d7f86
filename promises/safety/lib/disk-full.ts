// G3: the small disk is mounted in a namespace of its own, so that no other process sees it and nothing is left behind.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freshFolder, removeFolder } from '../../rig/folder.ts'
import type { Judged } from './judge.ts'

export interface FullDisk extends Judged {
  /** What was not as promised, in words. */
  readonly failures: readonly string[]
  /** The start on the full disk. */
  readonly readyFullMs: number
  /** From the moment the disk had grown until the Bird's events were all taken. */
  readonly recoveredMs: number
  /** Touches answered from memory while it was full. */
  readonly held: number
}

/** Why this machine cannot do it; undefined when it can. */
export async function cannotMount(): Promise<string | undefined> {
  if (process.platform !== 'linux') return 'a small disk can only be mounted on Linux'
  if (process.getuid?.() !== 0) return 'mounting a small disk needs root: run this gate as root'
  return promisify(execFile)('unshare', ['-m', 'true']).then(
    () => undefined,
    () => 'unshare -m is missing or not allowed here',
  )
}

export async function fillTheDisk(): Promise<FullDisk> {
  const folder = freshFolder()
  try {
    const script = join(import.meta.dirname, 'disk-full.child.ts')
    const node = [process.execPath, '--disable-warning=ExperimentalWarning', script, folder]
    const { stdout } = await promisify(execFile)('unshare', ['-m', ...node], { maxBuffer: 2 ** 24 })
    return JSON.parse(stdout) as FullDisk
  } finally {
    removeFolder(folder)
  }
}
