// Files that a share upload brought, opened by their number: what a client names is looked up in the tree, and never becomes a path.
import { closeSync, constants, fstatSync, openSync, readFileSync, readSync } from 'node:fs'
import { join } from 'node:path'
import type { FileContent } from './content/content.ts'
import type { FileNode } from './tree.ts'

export const SHARE_INDEX = 'index.json'

/** An entry of the index. */
export interface SharedFile {
  readonly number: number
  /** With its folders, parted by slashes. */
  readonly name: string
  readonly size: number
  readonly modified: string
}

/** The uploaded bytes of a node, or undefined where there are none: then its content is drawn, as that of any other. */
export type FindUploaded = (node: FileNode) => FileContent | undefined

/** Reads the index once, when the settings come into force. */
export function uploadedFiles(folder: string | undefined): FindUploaded {
  const files = folder === undefined ? new Map<number, SharedFile>() : indexOf(folder)
  return ({ uploaded = -1, path, size }) => {
    const file = files.get(uploaded)
    // Settings that were copied from another Bird name numbers of its files.
    const isSame = file?.size === size && file.name === path.replaceAll('\\', '/')
    const stored = join(folder ?? '', String(uploaded))
    if (!isSame || readAt(stored, size, 0, 0) === undefined) return undefined
    return { read: (offset, length) => readAt(stored, size, offset, length) ?? NOTHING }
  }
}

const NOTHING = Buffer.alloc(0)

function indexOf(folder: string): ReadonlyMap<number, SharedFile> {
  try {
    const files = JSON.parse(readFileSync(join(folder, SHARE_INDEX), 'utf8')) as readonly SharedFile[]
    return new Map(files.map((file) => [file.number, file]))
  } catch {
    return new Map()
  }
}

/** Undefined when there is no such file of this size any more: another share may have taken its place. */
function readAt(path: string, size: number, offset: number, length: number): Buffer | undefined {
  let fd: number
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  } catch {
    return undefined
  }
  try {
    if (fstatSync(fd).size !== size) return undefined
    const bytes = Buffer.alloc(Math.max(0, Math.min(length, size - offset)))
    return bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, offset))
  } catch {
    return undefined
  } finally {
    closeSync(fd)
  }
}
