// A whole RDB: the magic word, facts of the server, each database with its keys, a CRC-64 of all before it.
import type { Keyspace } from '../values/keyspace.ts'
import { little } from './byte-reader.ts'
import { crc64 } from './crc64.ts'
import { lengthBytes, textBytes } from './text.ts'
import { VERSION } from './value-types.ts'
import { writeValue } from './write-value.ts'

const AUXILIARY = '\xfa'
const SELECT = '\xfe'
const SIZES = '\xfb'
const EXPIRES_MS = '\xfc'
const END = '\xff'
const DATABASES = 16

export interface RdbSource {
  /** Without it, the file has no keys. */
  readonly keyspace: Keyspace | undefined
  readonly config: ReadonlyMap<string, string>
  readonly now: number
}

/** `facts`: name and value of each auxiliary field, in their order. */
export function rdbFile({ keyspace, config, now }: RdbSource, facts: readonly (readonly string[])[]): string {
  const text = (value: string): string => textBytes(value, config.get('rdbcompression') === 'yes')
  const parts = [`REDIS${String(VERSION).padStart(4, '0')}`]
  for (const fact of facts) parts.push(AUXILIARY, ...fact.map(text))
  for (let db = 0; keyspace && db < DATABASES; db += 1) {
    const keys = keyspace.keys(db, now)
    if (keys.length === 0) continue
    parts.push(SELECT, lengthBytes(db), SIZES, lengthBytes(keys.length), lengthBytes(keyspace.expiring(db)))
    for (const key of keys) {
      const entry = keyspace.find(db, key, now)!
      const { type, bytes } = writeValue(config, entry)
      if (entry.expiresAt !== undefined) parts.push(EXPIRES_MS, little(entry.expiresAt, 8))
      parts.push(String.fromCharCode(type), text(key), bytes)
    }
  }
  const file = parts.join('') + END
  return file + (config.get('rdbchecksum') === 'no' ? '\0'.repeat(8) : crc64(file))
}
