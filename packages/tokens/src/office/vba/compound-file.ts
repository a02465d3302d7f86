// Writes a compound file (MS-CFB, version 3): small streams in folders, all of them in the mini stream.

export interface CompoundFolder {
  readonly [name: string]: Buffer | CompoundFolder
}

const SECTOR = 512
const MINI_SECTOR = 64
/** Streams below this size lie in the mini stream; others are not written here. */
const MINI_BYTES = 4_096
const ENTRY = 128
const END = 0xfffffffe
const FREE = 0xffffffff
const FAT = 0xfffffffd
const FAT_ENTRIES = SECTOR / 4

interface Node {
  readonly name: string
  /** 1 is a folder, 2 a stream, 5 the root. */
  readonly type: 1 | 2 | 5
  readonly content: Buffer
  isRed: boolean
  left: number
  right: number
  child: number
}

/** One sector of the file allocation table holds it: about 60 KiB. */
export function compoundFile(root: CompoundFolder): Buffer {
  const nodes: Node[] = []
  addFolder(nodes, 'Root Entry', 5, root)
  const mini = Buffer.concat(nodes.map(({ content }) => padded(content, MINI_SECTOR, 0)))
  const miniFat = chains(nodes.map(({ content }) => Math.ceil(content.length / MINI_SECTOR)))
  const directory = padded(Buffer.concat(entries(nodes, mini.length)), SECTOR, 0)
  const parts = [directory, padded(miniFat, SECTOR, 0xff), padded(mini, SECTOR, 0)]
  const lengths = parts.map(({ length }) => length / SECTOR)
  const table = Buffer.concat([u32(FAT), chains(lengths, 1)])
  if (table.length > SECTOR) throw new Error(`A compound file has at most ${FAT_ENTRIES} sectors here.`)
  const [directoryAt, miniFatAt, miniAt] = [
    1,
    1 + (lengths[0] ?? 0),
    1 + (lengths[0] ?? 0) + (lengths[1] ?? 0),
  ]
  directory.writeUInt32LE(miniAt, 116)
  return Buffer.concat([
    header(directoryAt, miniFatAt, lengths[1] ?? 0),
    padded(table, SECTOR, 0xff),
    ...parts,
  ])
}

/** Adds a folder and all that lies in it; answers its number. */
function addFolder(nodes: Node[], name: string, type: 1 | 5, folder: CompoundFolder): number {
  const node: Node = { ...leaf(name, Buffer.alloc(0)), type }
  const number = nodes.push(node) - 1
  const children = Object.entries(folder).map(([childName, content]) =>
    Buffer.isBuffer(content)
      ? nodes.push(leaf(childName, content)) - 1
      : addFolder(nodes, childName, 1, content),
  )
  const inOrder = children.toSorted((a, b) => compare(nodes[a]?.name ?? '', nodes[b]?.name ?? ''))
  node.child = link(nodes, inOrder, Math.floor(Math.log2(inOrder.length)))
  return number
}

function leaf(name: string, content: Buffer): Node {
  if (content.length >= MINI_BYTES) throw new Error(`The stream ${name} has ${MINI_BYTES} bytes or more.`)
  return { name, type: 2, content, isRed: false, left: FREE, right: FREE, child: FREE }
}

/** By length, then by letters (MS-CFB 2.6.4). */
const compare = (a: string, b: string): number =>
  a.length - b.length || (a.toUpperCase() < b.toUpperCase() ? -1 : 1)

/** A red-black tree of siblings: balanced, with its lowest level red; answers the number of its root. */
function link(nodes: readonly Node[], inOrder: readonly number[], levelsBelow: number): number {
  const middle = Math.floor(inOrder.length / 2)
  const number = inOrder[middle]
  const node = number === undefined ? undefined : nodes[number]
  if (number === undefined || node === undefined) return FREE
  node.left = link(nodes, inOrder.slice(0, middle), levelsBelow - 1)
  node.right = link(nodes, inOrder.slice(middle + 1), levelsBelow - 1)
  node.isRed = levelsBelow === 0
  return number
}

/** Chains of sectors one after the other, from the number `from` on: each sector names the next one. */
const chains = (lengths: readonly number[], from = 0): Buffer => {
  let next = from
  const numbers = lengths.flatMap((length) => {
    next += length
    return Array.from({ length }, (_, at) => (at === length - 1 ? END : next - length + at + 1))
  })
  return Buffer.concat(numbers.map(u32))
}

function entries(nodes: readonly Node[], miniBytes: number): Buffer[] {
  let mini = 0
  return nodes.map(({ name, type, content, isRed, left, right, child }) => {
    const bytes = Buffer.alloc(ENTRY)
    bytes.write(name, 'utf16le')
    bytes.writeUInt16LE((name.length + 1) * 2, 64)
    bytes.writeUInt8(type, 66)
    bytes.writeUInt8(isRed && type !== 5 ? 0 : 1, 67)
    for (const [at, number] of [left, right, child].entries()) bytes.writeUInt32LE(number, 68 + at * 4)
    // The start of the root is written once the place of the mini stream is known.
    bytes.writeUInt32LE(content.length === 0 ? (type === 2 ? END : 0) : mini, 116)
    bytes.writeUInt32LE(type === 5 ? miniBytes : content.length, 120)
    mini += Math.ceil(content.length / MINI_SECTOR)
    return bytes
  })
}

function header(directoryAt: number, miniFatAt: number, miniFatSectors: number): Buffer {
  const bytes = Buffer.alloc(SECTOR)
  bytes.write('d0cf11e0a1b11ae1', 'hex')
  for (const [at, value] of [0x3e, 3, 0xfffe, 9, 6].entries()) bytes.writeUInt16LE(value, 24 + at * 2)
  // Sectors of the table, start of the directory, transaction, size below which streams are mini, mini table, DIFAT.
  const numbers = [1, directoryAt, 0, MINI_BYTES, miniFatAt, miniFatSectors, END, 0, 0]
  for (const [at, value] of numbers.entries()) bytes.writeUInt32LE(value, 44 + at * 4)
  bytes.fill(0xff, 80)
  return bytes
}

const padded = (bytes: Buffer, to: number, filler: number): Buffer =>
  Buffer.concat([bytes, Buffer.alloc((to - (bytes.length % to)) % to, filler)])

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
