// How Redis 7.0 keeps a value in memory, by its size: OBJECT ENCODING, and the form in which DUMP writes it.
import type { Entry } from './keyspace.ts'
import { isIntegerText } from '../rdb/text.ts'

export type Encoding =
  | 'int'
  | 'embstr'
  | 'raw'
  | 'intset'
  | 'hashtable'
  | 'listpack'
  | 'quicklist'
  | 'skiplist'
  | 'stream'

const MAX_EMBEDDED = 44

export function encodingOf(config: ReadonlyMap<string, string>, entry: Entry): Encoding {
  const most = (name: string): number => Number(config.get(name))
  const isPacked = (kind: 'hash' | 'zset', texts: readonly string[], size: number): boolean =>
    size <= most(`${kind}-max-listpack-entries`) &&
    texts.every((text) => text.length <= most(`${kind}-max-listpack-value`))
  switch (entry.type) {
    case 'string':
      if (entry.isRaw) return 'raw'
      if (isIntegerText(entry.value)) return 'int'
      return entry.value.length <= MAX_EMBEDDED ? 'embstr' : 'raw'
    case 'set':
      return entry.value.size <= most('set-max-intset-entries') && [...entry.value].every(isIntegerText)
        ? 'intset'
        : 'hashtable'
    case 'stream':
      return 'stream'
    case 'list':
      return 'quicklist'
    case 'hash':
      return isPacked('hash', [...entry.value].flat(), entry.value.size) ? 'listpack' : 'hashtable'
    case 'zset':
      return isPacked('zset', [...entry.value.keys()], entry.value.size) ? 'listpack' : 'skiplist'
  }
}
