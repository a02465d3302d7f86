// What a zip of a share may hold: the Bird unpacks it, and the console reads its directory, by the same bounds.
import type { TreeLimits } from './judge.ts'
import type { ZipLimits } from './read.ts'

const SHARE_NODES = 8_192

export const SHARE_ZIP: ZipLimits = { entries: SHARE_NODES, unpackedBytes: 64 * 1024 * 1024, ratio: 100 }
export const SHARE_TREE: TreeLimits = { files: SHARE_NODES, nodes: SHARE_NODES, depth: 16 }
