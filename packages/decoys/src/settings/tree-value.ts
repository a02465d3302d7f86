// What a setting of type `tree` must be: files and folders, such as those of a share. Pure; loads in a browser.

/** Most nodes, and most folders inside each other: settings may be nested 64 levels deep, and a folder takes two. */
export const MAX_NODES = 8_192
export const MAX_DEPTH = 30
const MAX_NAME = 255
/** 16 TiB less a cluster: the largest file of NTFS with clusters of 4 KiB. */
const MAX_SIZE = 2 ** 44 - 2 ** 16

const KEYS = new Set(['name', 'type', 'children', 'size', 'modified', 'uploaded'])
/** Names that no file or folder of Windows has ([MS-FSCC] 2.1.5, and the devices of MS-DOS). */
const FORBIDDEN = /["*/:<>?\\|\p{Cc}\p{Cs}]|[ .]$|^(?:\.{1,2}|con|prn|aux|nul|com[1-9]|lpt[1-9])(?:\..*)?$/iu
const INSTANT = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?Z)?$/

interface Place {
  readonly nodes: unknown
  readonly folder: string
  readonly depth: number
}

/** What the value must be, in words; `undefined` when it is right. Names the node that is wrong. */
export function treeExpectation(value: unknown): string | undefined {
  const left: Place[] = [{ nodes: value, folder: '', depth: 1 }]
  let count = 0
  for (let place = left.pop(); place; place = left.pop()) {
    const { nodes, folder, depth } = place
    if (!Array.isArray(nodes)) return `a list of files and folders${at(folder)}`
    if (depth > MAX_DEPTH) return `a tree of at most ${MAX_DEPTH} folders inside each other${at(folder)}`
    count += nodes.length
    if (count > MAX_NODES) return `a tree of at most ${MAX_NODES} files and folders`
    const names = new Set<string>()
    for (const node of nodes as unknown[]) {
      const wrong = nodeExpectation(node)
      if (wrong !== undefined) return `a tree of files and folders, each with ${wrong}${at(folder)}`
      const { name, children } = node as { name: string; children?: unknown }
      if (names.has(name.toUpperCase()))
        return `a tree in which each name of a folder is another one${at(`${folder}/${name}`)}`
      names.add(name.toUpperCase())
      if (children !== undefined)
        left.push({ nodes: children, folder: `${folder}/${name}`, depth: depth + 1 })
    }
  }
  return undefined
}

const at = (path: string): string => (path === '' ? '' : ` (at ${path.slice(0, 200)})`)

function nodeExpectation(node: unknown): string | undefined {
  if (typeof node !== 'object' || node === null || Array.isArray(node)) return 'a name and a type'
  const { name, type, children, size, modified, uploaded } = node as Record<string, unknown>
  if (!Object.keys(node).every((key) => KEYS.has(key)))
    return 'no keys but name, type, children, size, modified, uploaded'
  if (typeof name !== 'string' || name.length === 0 || name.length > MAX_NAME || FORBIDDEN.test(name))
    return `a name that Windows allows, of at most ${MAX_NAME} characters`
  if (type !== 'file' && type !== 'directory') return 'the type file or directory'
  if (type === 'file' && children !== undefined) return 'children only if it is a directory'
  if (type === 'directory' && size !== undefined) return 'a size only if it is a file'
  if (size !== undefined && !(Number.isInteger(size) && Number(size) >= 0 && Number(size) <= MAX_SIZE))
    return `a size from 0 to ${MAX_SIZE} bytes`
  if (uploaded !== undefined && !(type === 'file' && Number.isInteger(uploaded) && Number(uploaded) >= 0))
    return 'an uploaded only if it is a file: the number that a share upload gave'
  const isDate = typeof modified === 'string' && INSTANT.test(modified) && isFrom1980(Date.parse(modified))
  if (modified !== undefined && !isDate)
    return 'a date since 1980, such as 2026-03-31 or 2026-03-31T16:20:00Z'
  return undefined
}

const isFrom1980 = (ms: number): boolean => ms >= Date.UTC(1980, 0, 1)
