// MEMORY USAGE: what jemalloc 5.3 gives a key and its value (Redis 7.0, objectComputeSize).
import { peek } from '../values/find.ts'
import { syntaxError, toInteger, upper } from '../arguments.ts'
import type { Command } from '../model/call.ts'
import { encodingOf } from '../values/encoding.ts'
import { sizeOf, type Entry } from '../values/keyspace.ts'
import { elementSize, EMPTY_LISTPACK_BYTES } from '../rdb/listpack.ts'
import { byScore, intsetSize, scoreText } from '../rdb/write-value.ts'
import { integer, nil } from '../../../protocol/resp.ts'
import { treeOf, type Stream } from '../values/stream.ts'
import { spend } from '../work-budget.ts'

/** Bytes of the server's own structures. */
const OBJECT = 16
const DICTIONARY = 56
const DICTIONARY_ENTRY = 24
const SLOT = 8
const QUICKLIST = 40
const QUICKLIST_NODE = 40
/** Of a list. */
const LIST_NODE = 8192
/** A skiplist with its first node, which has all levels. */
const SKIPLIST = 48 + 640
const SKIPLIST_NODE = 48
const STREAM = 80
const TREE_NODE = 244
const TREE_KEY = 16
/** A listpack of a stream is allocated with room to grow. */
const STREAM_NODE = 4096

const MAX_EMBEDDED = 44
const MIN_SLOTS = 4
const SAMPLES = 5

/** What an allocation takes: four steps between each power of two, of at least 16 bytes. */
function allocated(bytes: number): number {
  if (bytes <= 8) return 8
  if (bytes <= 128) return Math.ceil(bytes / 16) * 16
  const step = 2 ** (Math.ceil(Math.log2(bytes)) - 3)
  return Math.ceil(bytes / step) * step
}

const headerBytes = (length: number): number => (length < 32 ? 1 : length < 256 ? 3 : 5)
/** A text on its own: header, characters, NUL. */
const textBytes = (text: string): number => allocated(headerBytes(text.length) + text.length + 1)

const listpackBytes = (elements: readonly string[]): number =>
  allocated(elements.reduce((sum, element) => sum + elementSize(element), EMPTY_LISTPACK_BYTES))

/** The first few stand for all. */
function sampled<T>(all: readonly T[], samples: number, sizeOf: (one: T) => number): number {
  const few = all.slice(0, samples)
  return Math.floor((few.reduce((sum, one) => sum + sizeOf(one), 0) / few.length) * all.length)
}

function tableBytes(entries: number): number {
  let slots = MIN_SLOTS
  while (slots < entries) slots *= 2
  return DICTIONARY + slots * SLOT
}

function valueBytes(config: ReadonlyMap<string, string>, entry: Entry, samples: number): number {
  const encoding = encodingOf(config, entry)
  switch (entry.type) {
    case 'string':
      if (encoding === 'int') return OBJECT
      return entry.value.length <= MAX_EMBEDDED && !entry.isRaw
        ? allocated(OBJECT + 4 + entry.value.length)
        : OBJECT + allocated(4 + entry.value.length)
    case 'list': {
      const bytes = listpackBytes(entry.value)
      return OBJECT + QUICKLIST + QUICKLIST_NODE * Math.ceil(bytes / LIST_NODE) + bytes
    }
    case 'set': {
      if (encoding === 'intset') return OBJECT + allocated(intsetSize([...entry.value]))
      const entryBytes = (member: string): number => textBytes(member) + DICTIONARY_ENTRY
      return OBJECT + tableBytes(entry.value.size) + sampled([...entry.value], samples, entryBytes)
    }
    case 'hash': {
      if (encoding === 'listpack') return OBJECT + listpackBytes([...entry.value].flat())
      const entryBytes = (field: readonly string[]): number =>
        field.reduce((sum, text) => sum + textBytes(text), DICTIONARY_ENTRY)
      return OBJECT + tableBytes(entry.value.size) + sampled([...entry.value], samples, entryBytes)
    }
    case 'zset': {
      const members = byScore(entry.value)
      if (encoding === 'listpack')
        return OBJECT + listpackBytes(members.flatMap(([member, score]) => [member, scoreText(score)]))
      const entryBytes = ([member]: readonly [string, number]): number =>
        textBytes(member) + DICTIONARY_ENTRY + SKIPLIST_NODE
      return OBJECT + SKIPLIST + tableBytes(members.length) + sampled(members, samples, entryBytes)
    }
    case 'stream':
      return OBJECT + streamBytes(entry.value)
  }
}

function streamBytes(stream: Stream): number {
  const { keys, nodes } = treeOf(stream)
  return STREAM + keys * (TREE_KEY + STREAM_NODE) + nodes * TREE_NODE
}

export const memory: Record<string, Command> = {
  'memory|usage': (call) => {
    let samples = SAMPLES
    for (let at = 3; at < call.args.length; at += 2) {
      if (upper(call.args[at]) !== 'SAMPLES' || call.args[at + 1] === undefined) throw syntaxError()
      samples = toInteger(call.args[at + 1])
      if (samples < 0) throw syntaxError()
    }
    const entry = peek(call, call.args[2]!)
    if (!entry) return nil(call.client.resp)
    spend(call, sizeOf(entry))
    const value = valueBytes(call.server.config, entry, samples || Infinity)
    return integer(value + textBytes(call.args[2]!) + DICTIONARY_ENTRY)
  },
}
