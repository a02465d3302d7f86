// An incident's public names carry its number, masked: they look random, prove themselves, and need no index to be found.
//
//   | tag = MAC(number), n bytes | number XOR mask(tag), 8 bytes |
import type { Vault } from './vault.ts'

export interface IncidentNames {
  /** 32 hex digits. */
  hashId(incidentId: number): string
  /** The 24 hex digits inside an incident's key. */
  keyPart(incidentId: number): string
  /** The number behind a hash id; undefined when it is none of ours. */
  fromHashId(hashId: string): number | undefined
  /** The number behind `incident:<slug>:<24 hex>:…`; undefined when it is none of ours. */
  fromKey(incidentKey: string): number | undefined
}

const NUMBER = 8
const HASH_TAG = 8
const KEY_TAG = 4

export function incidentNames(vault: Vault): IncidentNames {
  const tagOf = (id: number, length: number): Buffer =>
    vault.mac('incident', `${length} ${id}`).subarray(0, length)
  const maskOf = (tag: Buffer): bigint =>
    vault.mac('incident', `mask ${tag.toString('hex')}`).readBigUInt64BE(0)

  function write(id: number, length: number): string {
    const tag = tagOf(id, length)
    const number = Buffer.alloc(NUMBER)
    number.writeBigUInt64BE(BigInt(id) ^ maskOf(tag))
    return tag.toString('hex') + number.toString('hex')
  }

  function read(hex: string, length: number): number | undefined {
    if (hex.length !== 2 * (length + NUMBER) || !/^[0-9a-f]+$/.test(hex)) return undefined
    const bytes = Buffer.from(hex, 'hex')
    const tag = bytes.subarray(0, length)
    const id = Number(bytes.readBigUInt64BE(length) ^ maskOf(tag))
    return Number.isSafeInteger(id) && tagOf(id, length).equals(tag) ? id : undefined
  }

  return {
    hashId: (id) => write(id, HASH_TAG),
    keyPart: (id) => write(id, KEY_TAG),
    fromHashId: (hashId) => read(hashId, HASH_TAG),
    fromKey: (incidentKey) => read(incidentKey.split(':')[2] ?? '', KEY_TAG),
  }
}
