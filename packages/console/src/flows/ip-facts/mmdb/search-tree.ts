// The search tree of a MaxMind DB ("Binary Search Tree Section"): a node for each bit of an address, two records a node.
import type { Address } from '../../../addresses/address-set.ts'
import { BrokenDatabase, type ReadBytes } from './broken-database.ts'
import { nodeBytes, SEPARATOR_BYTES, treeBytes, type Metadata } from './metadata.ts'

/** Where in the file the record of an address lies; undefined where the database has none. */
export type FindRecord = (read: ReadBytes, address: Address) => number | undefined

const V4_BITS = 32
const V6_BITS = 128

export function searchTree(metadata: Metadata): FindRecord {
  const { nodeCount, ipVersion } = metadata
  const tree = treeBytes(metadata)

  const step = (read: ReadBytes, node: number, bit: number): number =>
    recordOf(metadata, nodeAt(read, metadata, node), bit)

  let ipv4Start: number | undefined
  /** IPv4 lies at ::/96 of a tree of IPv6. */
  function startOf(read: ReadBytes, isIpv4: boolean): number {
    if (!isIpv4 || ipVersion === 4) return 0
    if (ipv4Start !== undefined) return ipv4Start
    let node = 0
    for (let bit = 0; bit < V6_BITS - V4_BITS && node < nodeCount; bit++) node = step(read, node, 0)
    return (ipv4Start = node)
  }

  return (read, address) => {
    const isIpv4 = typeof address === 'number'
    if (!isIpv4 && ipVersion === 4) return undefined
    let node = startOf(read, isIpv4)
    for (let bit = (isIpv4 ? V4_BITS : V6_BITS) - 1; bit >= 0 && node < nodeCount; bit--)
      node = step(read, node, bitOf(address, bit))
    if (node <= nodeCount) return undefined
    const offset = node - nodeCount
    if (offset < SEPARATOR_BYTES) throw new BrokenDatabase('has a search tree that leads out of its data')
    return tree + offset
  }
}

/** The bit with this weight: 0 for the last one. */
const bitOf = (address: Address, bit: number): number =>
  typeof address === 'number' ? (address >>> bit) & 1 : Number((address >> BigInt(bit)) & 1n)

function nodeAt(read: ReadBytes, metadata: Metadata, node: number): Buffer {
  const length = nodeBytes(metadata)
  const bytes = read(node * length, length)
  if (bytes.length !== length) throw new BrokenDatabase('ends inside its search tree')
  return bytes
}

/** Of 28 bits, the upper four of both records share the byte between them. */
function recordOf({ recordBits }: Metadata, node: Buffer, side: number): number {
  if (recordBits === 24) return node.readUIntBE(side * 3, 3)
  if (recordBits === 32) return node.readUInt32BE(side * 4)
  const shared = node.readUInt8(3)
  return side === 0
    ? (shared >> 4) * 2 ** 24 + node.readUIntBE(0, 3)
    : (shared & 0x0f) * 2 ** 24 + node.readUIntBE(4, 3)
}
