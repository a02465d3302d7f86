// MEMORY USAGE: what jemalloc 5.3 gives a key and its value (redis.io, "MEMORY USAGE").
import { find, syntaxError, toInteger, upper, type Command } from '../call.ts'
import type { Entry } from '../keyspace.ts'
import { integer, nil } from '../resp.ts'

const ENTRY_BYTES = 24
const OBJECT_BYTES = 16
const MAX_EMBEDDED = 44

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
/** An element of a listpack. */
const packedBytes = (text: string): number =>
  /^(0|[1-9]\d?|1[01]\d|12[0-7])$/.test(text) ? 2 : text.length + (text.length < 64 ? 2 : 3)
const listpackBytes = (texts: readonly string[]): number =>
  7 + texts.reduce((sum, text) => sum + packedBytes(text), 0)

function valueBytes(entry: Entry): number {
  switch (entry.type) {
    case 'string':
      if (/^(0|-?[1-9]\d{0,17})$/.test(entry.value) && !entry.isRaw) return OBJECT_BYTES
      return entry.value.length <= MAX_EMBEDDED && !entry.isRaw
        ? allocated(OBJECT_BYTES + 4 + entry.value.length)
        : OBJECT_BYTES + allocated(4 + entry.value.length)
    case 'list':
      return OBJECT_BYTES + 40 + 32 + listpackBytes(entry.value)
    case 'hash':
      return OBJECT_BYTES + listpackBytes([...entry.value].flat())
    case 'zset':
      return (
        OBJECT_BYTES + listpackBytes([...entry.value].flatMap(([member, score]) => [member, String(score)]))
      )
    case 'set':
      return OBJECT_BYTES + 104 + [...entry.value].reduce((sum, member) => sum + 32 + textBytes(member), 0)
    case 'stream':
      return 4_656 + entry.value.entries.reduce((sum, { fields }) => sum + listpackBytes(fields), 0)
  }
}

export const memory: Record<string, Command> = {
  'memory|usage': (call) => {
    for (let at = 3; at < call.args.length; at += 2) {
      if (upper(call.args[at]) !== 'SAMPLES' || call.args[at + 1] === undefined) throw syntaxError()
      if (toInteger(call.args[at + 1]) < 0) throw syntaxError()
    }
    const entry = find(call, call.args[2]!)
    if (!entry) return nil(call.client.resp)
    return integer(valueBytes(entry) + textBytes(call.args[2]!) + ENTRY_BYTES)
  },
}
