// A value as an RDB of Redis 7.0 holds it: its type and its bytes.
import { encodingOf } from '../values/encoding.ts'
import type { Entry } from '../values/keyspace.ts'
import { formatDouble } from '../../../protocol/numbers.ts'
import { little } from './byte-reader.ts'
import { listpack } from './listpack.ts'
import { streamBytes } from './stream-bytes.ts'
import { lengthBytes, textBytes } from './text.ts'
import * as type from './value-types.ts'

export interface WrittenValue {
  readonly type: number
  readonly bytes: string
}

/** A node of a list that is a listpack. */
const PACKED = 2
/** A longer one is written as its texts, as a server that reads it takes it, too. */
const MAX_LIST_NODE_BYTES = 8192

export function writeValue(config: ReadonlyMap<string, string>, entry: Entry): WrittenValue {
  const compresses = config.get('rdbcompression') === 'yes'
  const text = (value: string): string => textBytes(value, compresses)
  const texts = (values: readonly string[], count: number): string =>
    lengthBytes(count) + values.map(text).join('')
  const isPacked = encodingOf(config, entry) === 'listpack'
  switch (entry.type) {
    case 'string':
      return { type: type.STRING, bytes: text(entry.value) }
    case 'list': {
      const packed = listpack(entry.value)
      return packed.length <= MAX_LIST_NODE_BYTES
        ? { type: type.LIST_QUICKLIST, bytes: lengthBytes(1) + lengthBytes(PACKED) + text(packed) }
        : { type: type.LIST, bytes: texts(entry.value, entry.value.length) }
    }
    case 'set':
      return encodingOf(config, entry) === 'intset'
        ? { type: type.SET_INTSET, bytes: text(intset([...entry.value])) }
        : { type: type.SET, bytes: texts([...entry.value], entry.value.size) }
    case 'hash':
      return isPacked
        ? { type: type.HASH_LISTPACK, bytes: text(listpack([...entry.value].flat())) }
        : { type: type.HASH, bytes: texts([...entry.value].flat(), entry.value.size) }
    case 'zset': {
      const members = byScore(entry.value)
      if (isPacked) {
        const elements = members.flatMap(([member, score]) => [member, scoreText(score)])
        return { type: type.ZSET_LISTPACK, bytes: text(listpack(elements)) }
      }
      // From the highest: a server that reads it puts each in front.
      const bytes = members.reverse().map(([member, score]) => text(member) + doubleBytes(score))
      return { type: type.ZSET, bytes: lengthBytes(members.length) + bytes.join('') }
    }
    case 'stream':
      return { type: type.STREAM, bytes: streamBytes(entry.value, text) }
  }
}

export const byScore = (scores: ReadonlyMap<string, number>): (readonly [string, number])[] =>
  [...scores].sort(([a, x], [b, y]) => x - y || (a < b ? -1 : 1))

/** Up to here the server writes a whole number as such. */
const MAX_WHOLE = 2 ** 62

/** As a listpack holds it. */
export const scoreText = (score: number): string =>
  Number.isInteger(score) && Math.abs(score) <= MAX_WHOLE ? String(BigInt(score)) : formatDouble(score)

function doubleBytes(value: number): string {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleLE(value)
  return bytes.toString('latin1')
}

/** Sorted integers of 2, 4 or 8 bytes, all of one size. */
function intset(members: readonly string[]): string {
  const values = members.map(BigInt).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  const size = integerSize(values)
  return little(size, 4) + little(values.length, 4) + values.map((value) => little(value, size)).join('')
}

const integerSize = (values: readonly bigint[]): number =>
  [2, 4, 8].find((bytes) => values.every((value) => BigInt.asIntN(8 * bytes, value) === value))!

const INTSET_HEADER_BYTES = 8

/** Bytes of the set of these integers. */
export const intsetSize = (members: readonly string[]): number =>
  INTSET_HEADER_BYTES + members.length * integerSize(members.map(BigInt))
