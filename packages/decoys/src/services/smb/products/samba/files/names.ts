// How Samba takes a path apart, and what it says when nothing is there.
import { STATUS } from '../../../protocol/codec/status.ts'
import type { DirectoryNode, TreeNode } from '../../../protocol/tree/tree.ts'
import type { SambaMachine } from '../machine.ts'

export type Found = TreeNode | 'no-name'

/** In bytes of UTF-8. */
const MAX_NAME = 255
/** Characters that no name has; a colon would begin a stream, which this share has none of. */
const FORBIDDEN = /["*:<>?|\x00-\x1f]/

/** What a path leads to, or a status. */
export function lookUp({ tree, share }: SambaMachine, name: string, isDfs: boolean): Found | number {
  const path = isDfs ? withoutServer(name, share.name) : name
  const names = namesOf(path)
  if (typeof names === 'number') return names
  return walk(tree, names)
}

/** A path of DFS begins with the server and the share. */
function withoutServer(name: string, share: string): string {
  const [server, first, ...rest] = name.split('\\')
  return server !== undefined && first?.toLowerCase() === share.toLowerCase() ? rest.join('\\') : name
}

/** Folders above are gone up to at once: not above the share. */
function namesOf(path: string): readonly string[] | number {
  const names: string[] = []
  const text = path.replace(/\\$/, '').replaceAll('/', '\\')
  if (text.endsWith('\\')) return STATUS.objectNameInvalid
  for (const name of text.split('\\')) {
    if (name === '') continue
    if (name === '..') {
      if (names.pop() === undefined) return STATUS.objectPathSyntaxBad
      continue
    }
    if (FORBIDDEN.test(name)) return STATUS.objectNameInvalid
    names.push(name)
  }
  return names
}

function walk(root: DirectoryNode, names: readonly string[]): Found | number {
  let node: TreeNode = root
  for (const [i, name] of names.entries()) {
    const isLast = i === names.length - 1
    if (node.type === 'file') return STATUS.objectPathNotFound
    if (name === '.') return STATUS.objectNameInvalid
    const wanted = name.toUpperCase()
    const child: TreeNode | undefined = node.children.find((each) => each.name.toUpperCase() === wanted)
    if (!child) {
      if (!isLast) return STATUS.objectPathNotFound
      return Buffer.byteLength(name) > MAX_NAME ? STATUS.objectNameInvalid : 'no-name'
    }
    node = child
  }
  return node
}
