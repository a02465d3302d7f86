// What both servers have: files, folders, users and a name.
import { servedMachine } from '../../../test/real-samba.ts'
import type { TreeNode } from '../../../src/services/smb/protocol/tree/tree.ts'
import type { Directory } from './directory-acts.ts'
import type { Place } from './file-acts.ts'

const allNodes = (node: TreeNode): TreeNode[] => [
  node,
  ...(node.type === 'directory' ? node.children.flatMap(allNodes) : []),
]

let place: (Place & Directory) | undefined
/** The files that both servers have. */
export function placeOf(): Place & Directory {
  if (place) return place
  const { tree, users, netbiosName } = servedMachine()
  const nodes = allNodes(tree)
  const paths = (type: TreeNode['type']): string[] =>
    nodes.filter((node) => node.type === type).map(({ path }) => path)
  place = { files: paths('file'), folders: paths('directory'), users, machine: netbiosName }
  return place
}
