// How ext4 keeps the files of a share, and how Samba shows them.
import { createHash } from 'node:crypto'
import type { Derive } from '../../../../../machine/draw.ts'
import { ATTRIBUTE, type FileSystem } from '../../../protocol/tree/tree.ts'

const BLOCK_BYTES = 4_096
/** The share's folder is one of the first that the disk got. */
const ROOT_ID = 0x20e698n

/** Folders are listed in the order of a hash of the names, whose seed belongs to the file system. */
export function ext4(derive: Derive): FileSystem {
  const seed = derive('smb/ext4', 16)
  const hashOf = (name: string): string => createHash('sha256').update(seed).update(name).digest('hex')
  return {
    rootId: ROOT_ID,
    idOf: ({ between }, record) => BigInt(0x200000 + 4 * record + between(0, 3)),
    sort: (nodes) => [...nodes].sort((a, b) => (hashOf(a.name) < hashOf(b.name) ? -1 : 1)),
    allocated: (size) => Math.ceil(size / BLOCK_BYTES) * BLOCK_BYTES,
    fileAttributes: ATTRIBUTE.normal,
  }
}
