// Reads a value of an RDB, as Redis 7.0 writes it; no streams.
import type { Entry } from '../values/keyspace.ts'
import { parseDouble } from '../../../protocol/numbers.ts'
import { BadFormat, type ByteReader, byteReader } from './byte-reader.ts'
import { readListpack } from './listpack.ts'
import { readCount, readLength, readText } from './text.ts'
import * as type from './value-types.ts'

/** Throws `BadFormat`. */
export function readValue(reader: ByteReader, valueType: number): Entry {
  const entry = readEntry(reader, valueType)
  const isEmpty =
    entry.type === 'list'
      ? entry.value.length === 0
      : entry.type !== 'string' && entry.type !== 'stream' && entry.value.size === 0
  if (isEmpty) throw new BadFormat('an empty collection')
  return entry
}

function readEntry(reader: ByteReader, valueType: number): Entry {
  switch (valueType) {
    case type.STRING:
      return { type: 'string', value: readText(reader) }
    case type.LIST:
      return { type: 'list', value: many(reader, () => readText(reader)) }
    case type.LIST_QUICKLIST:
      return { type: 'list', value: many(reader, () => readListNode(reader)).flat() }
    case type.SET:
      return setOf(many(reader, () => readText(reader)))
    case type.SET_INTSET:
      return setOf(readIntset(readText(reader)))
    case type.HASH:
      return hashOf(many(reader, () => [readText(reader), readText(reader)]).flat())
    case type.HASH_LISTPACK:
      return hashOf(readListpack(readText(reader)))
    case type.ZSET:
      return zsetOf(many(reader, () => [readText(reader), readDouble(reader)] as const))
    case type.ZSET_LISTPACK:
      return zsetOf(pairs(readListpack(readText(reader))).map(scored))
    default:
      throw new BadFormat(`${valueType} is no type of a value`)
  }
}

const many = <T>(reader: ByteReader, read: () => T): T[] => Array.from({ length: readCount(reader) }, read)

/** One long element, or a listpack. */
function readListNode(reader: ByteReader): string[] {
  const container = readLength(reader)
  if (container === 1n) return [readText(reader)]
  if (container !== 2n) throw new BadFormat(`${container} is no container of a list`)
  return readListpack(readText(reader))
}

function readIntset(bytes: string): string[] {
  const reader = byteReader(bytes)
  const size = reader.little(4)
  const count = reader.little(4)
  if (![2, 4, 8].includes(size) || count * size !== reader.left)
    throw new BadFormat('an intset of another length')
  return Array.from({ length: count }, () => String(reader.integer(size)))
}

function pairs(elements: readonly string[]): (readonly [string, string])[] {
  if (elements.length % 2) throw new BadFormat('a member without its value')
  return elements.flatMap((element, at) => (at % 2 ? [] : [[element, elements[at + 1]!] as const]))
}

const scored = ([member, score]: readonly [string, string]): readonly [string, number] => [
  member,
  parseDouble(score),
]

const readDouble = (reader: ByteReader): number => Buffer.from(reader.take(8), 'latin1').readDoubleLE()

function setOf(members: readonly string[]): Entry {
  const value = new Set(members)
  if (value.size < members.length) throw new BadFormat('a member twice')
  return { type: 'set', value }
}

function hashOf(elements: readonly string[]): Entry {
  const found = pairs(elements)
  const value = new Map(found)
  if (value.size < found.length) throw new BadFormat('a field twice')
  return { type: 'hash', value }
}

function zsetOf(members: readonly (readonly [string, number])[]): Entry {
  const value = new Map(members)
  if (value.size < members.length) throw new BadFormat('a member twice')
  if (members.some(([, score]) => Number.isNaN(score))) throw new BadFormat('a score that is no number')
  return { type: 'zset', value }
}
