// Writes a MaxMind DB for tests, as the description of its format says (MaxMind DB File Format 2.0).
import { readRange } from '../src/addresses/address-set.ts'

/** A number is written as one of 32 bits, without a sign. */
export type Value =
  | string
  | number
  | boolean
  | Float
  | Unsigned
  | readonly Value[]
  | { readonly [key: string]: Value }

/** A number that is written as a double. */
export class Float {
  readonly value: number
  constructor(value: number) {
    this.value = value
  }
}

/** A number that is written as one of so many bits, without a sign. */
class Unsigned {
  readonly value: number
  readonly bits: 16 | 32 | 64
  constructor(value: number, bits: 16 | 32 | 64) {
    this.value = value
    this.bits = bits
  }
}

export interface DatabaseOptions {
  readonly recordBits?: 24 | 28 | 32
  readonly ipVersion?: 4 | 6
  readonly type?: string
  /** Milliseconds. */
  readonly builtAt?: number
  readonly majorVersion?: number
  readonly nodeCount?: number
}

/** Networks as CIDR, to their records. */
export function writeDatabase(
  networks: Readonly<Record<string, Value>>,
  { recordBits = 28, ipVersion = 6, ...options }: DatabaseOptions = {},
): Buffer {
  const texts = new Map<string, number>()
  const parts: Buffer[] = []
  let length = 0
  const tree: [Branch, Branch][] = [[undefined, undefined]]
  for (const [network, record] of Object.entries(networks)) {
    const offset = length
    const bytes = encode(record, { texts, offset })
    parts.push(bytes)
    length += bytes.length
    insert(tree, bitsOf(network, ipVersion), { offset })
  }
  const nodeCount = options.nodeCount ?? tree.length
  const recordOf = (branch: Branch): number =>
    branch === undefined
      ? tree.length
      : typeof branch === 'number'
        ? branch
        : tree.length + 16 + branch.offset
  const nodes = tree.map(([left, right]) => node(recordOf(left), recordOf(right), recordBits))
  const metadata = encode({
    node_count: nodeCount,
    record_size: new Unsigned(recordBits, 16),
    ip_version: new Unsigned(ipVersion, 16),
    database_type: options.type ?? 'Rookery-Test',
    languages: ['en', 'de'],
    binary_format_major_version: new Unsigned(options.majorVersion ?? 2, 16),
    binary_format_minor_version: new Unsigned(0, 16),
    build_epoch: new Unsigned(Math.floor((options.builtAt ?? Date.UTC(2026, 10, 1)) / 1_000), 64),
    description: { en: 'A database of a test' },
  })
  const mark = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1')
  return Buffer.concat([...nodes, Buffer.alloc(16), ...parts, mark, metadata])
}

/** Another node, a record, or nothing. */
type Branch = number | { readonly offset: number } | undefined

function bitsOf(network: string, ipVersion: 4 | 6): number[] {
  const range = readRange(network)
  if (!range) throw new Error(`${network} is no network.`)
  const isIpv4 = typeof range.start === 'number'
  const width = isIpv4 ? 32 : 128
  const bits = Array.from({ length: range.prefix }, (_, n) =>
    Number((BigInt(range.start) >> BigInt(width - 1 - n)) & 1n),
  )
  return isIpv4 && ipVersion === 6 ? [...new Array<number>(96).fill(0), ...bits] : bits
}

function insert(tree: [Branch, Branch][], bits: readonly number[], record: Branch): void {
  let at = 0
  for (const [depth, bit] of bits.entries()) {
    const pair = tree[at]!
    if (depth === bits.length - 1) return void (pair[bit] = record)
    let next = pair[bit]
    if (typeof next !== 'number') {
      next = tree.push([undefined, undefined]) - 1
      pair[bit] = next
    }
    at = next
  }
}

function node(left: number, right: number, recordBits: 24 | 28 | 32): Buffer {
  const bytes = Buffer.alloc(recordBits / 4)
  if (recordBits === 32) {
    bytes.writeUInt32BE(left)
    bytes.writeUInt32BE(right, 4)
    return bytes
  }
  bytes.writeUIntBE(left % 2 ** 24, 0, 3)
  bytes.writeUIntBE(right % 2 ** 24, recordBits / 8 + (recordBits === 28 ? 0.5 : 0), 3)
  if (recordBits === 28) bytes[3] = (Math.floor(left / 2 ** 24) << 4) | Math.floor(right / 2 ** 24)
  return bytes
}

/** Where texts of the data section lie, so that a text that comes again is a pointer. */
interface Placed {
  readonly texts: Map<string, number>
  readonly offset: number
}

export function encode(value: Value, placed?: Placed): Buffer {
  const at = (parts: readonly Buffer[]): Placed | undefined =>
    placed && { ...placed, offset: placed.offset + parts.reduce((sum, part) => sum + part.length, 0) }
  if (typeof value === 'string') {
    const known = placed?.texts.get(value)
    if (known !== undefined) return pointer(known)
    placed?.texts.set(value, placed.offset)
    const text = Buffer.from(value)
    return Buffer.concat([control(2, text.length), text])
  }
  if (typeof value === 'boolean') return control(14, value ? 1 : 0)
  if (typeof value === 'number') return unsigned(new Unsigned(value, 32))
  if (value instanceof Unsigned) return unsigned(value)
  if (value instanceof Float) {
    const bytes = Buffer.alloc(8)
    bytes.writeDoubleBE(value.value)
    return Buffer.concat([control(3, 8), bytes])
  }
  const isList = Array.isArray(value)
  const members = isList ? (value as readonly Value[]) : Object.entries(value).flat()
  const parts = [isList ? control(11, members.length) : control(7, members.length / 2)]
  for (const member of members) parts.push(encode(member, at(parts)))
  return Buffer.concat(parts)
}

const UNSIGNED_TYPES = { 16: 5, 32: 6, 64: 9 }

/** Without the zeros in front of it. */
function unsigned({ value, bits }: Unsigned): Buffer {
  const bytes = Buffer.alloc(6)
  bytes.writeUIntBE(value, 0, 6)
  const first = bytes.findIndex((byte) => byte !== 0)
  const content = bytes.subarray(first < 0 ? bytes.length : first)
  return Buffer.concat([control(UNSIGNED_TYPES[bits], content.length), content])
}

function control(type: number, size: number): Buffer {
  const [bits, more] = sizeOf(size)
  return type > 7 ? Buffer.from([bits, type - 7, ...more]) : Buffer.from([(type << 5) | bits, ...more])
}

function sizeOf(size: number): [bits: number, more: readonly number[]] {
  if (size < 29) return [size, []]
  if (size < 285) return [29, [size - 29]]
  if (size < 65_821) return [30, [(size - 285) >> 8, (size - 285) & 255]]
  return [31, [(size - 65_821) >> 16, ((size - 65_821) >> 8) & 255, (size - 65_821) & 255]]
}

export function pointer(target: number): Buffer {
  if (target < 2_048) return Buffer.from([0x20 | (target >> 8), target & 255])
  const second = target - 2_048
  if (second < 2 ** 19) return Buffer.from([0x28 | (second >> 16), (second >> 8) & 255, second & 255])
  const bytes = Buffer.alloc(5)
  bytes[0] = 0x38
  bytes.writeUInt32BE(target, 1)
  return bytes
}
