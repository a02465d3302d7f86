// What DUMP writes and RESTORE reads: type and bytes of a value, the RDB version (u16), and a CRC-64 of all before it.
import type { Entry } from '../values/keyspace.ts'
import { BadFormat, byteReader, little } from './byte-reader.ts'
import { crc64 } from './crc64.ts'
import { readValue } from './read-value.ts'
import { VERSION } from './value-types.ts'
import { writeValue } from './write-value.ts'

const FOOTER_BYTES = 10

export function dumpPayload(config: ReadonlyMap<string, string>, entry: Entry): string {
  const { type, bytes } = writeValue(config, entry)
  const value = String.fromCharCode(type) + bytes
  return value + dumpFooter(value)
}

/** Version and checksum behind what is dumped. */
export function dumpFooter(dumped: string): string {
  const version = little(VERSION, 2)
  return version + crc64(dumped + version)
}

/** Whether version and checksum are such that a server of 7.0 reads on. */
export function isPayload(payload: string): boolean {
  if (payload.length < FOOTER_BYTES) return false
  const version = byteReader(payload.slice(-FOOTER_BYTES)).little(2)
  return version <= VERSION && crc64(payload.slice(0, -8)) === payload.slice(-8)
}

/** The value of a payload; undefined when its bytes are none. */
export function readPayload(payload: string): Entry | undefined {
  const reader = byteReader(payload.slice(0, -FOOTER_BYTES))
  try {
    return readValue(reader, reader.byte())
  } catch (error) {
    if (error instanceof BadFormat) return undefined
    throw error
  }
}
