// An incident's public names carry its number, masked: they look random, prove themselves, and need no index to be found.
//
//   hash id, 16 bytes: AES(| number, 8 bytes | zeros, 8 bytes |)
//   key part, 12 bytes: | tag = AES(number), first 4 bytes | number XOR AES(tag), first 8 bytes |
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

const BLOCK = 16
const NUMBER = 8
const TAG = 4

export function incidentNames(vault: Vault): IncidentNames {
  const hash = vault.permutation('incident hash')
  const tags = vault.permutation('incident tag')
  const masks = vault.permutation('incident mask')

  const tagOf = (id: number): Buffer => tags.forth(blockOf(id)).subarray(0, TAG)
  const maskOf = (tag: Buffer): bigint => {
    const block = Buffer.alloc(BLOCK)
    tag.copy(block)
    return masks.forth(block).readBigUInt64BE(0)
  }

  return {
    hashId: (id) => hash.forth(blockOf(id)).toString('hex'),
    keyPart(id) {
      const part = Buffer.alloc(TAG + NUMBER)
      const tag = tagOf(id)
      tag.copy(part)
      part.writeBigUInt64BE(BigInt(id) ^ maskOf(tag), TAG)
      return part.toString('hex')
    },
    fromHashId(hashId) {
      const bytes = fromHex(hashId, BLOCK)
      const block = bytes && hash.back(bytes)
      return block?.readBigUInt64BE(NUMBER) === 0n ? asNumber(block.readBigUInt64BE(0)) : undefined
    },
    fromKey(incidentKey) {
      const bytes = fromHex(incidentKey.split(':')[2] ?? '', TAG + NUMBER)
      if (!bytes) return undefined
      const tag = bytes.subarray(0, TAG)
      const id = asNumber(bytes.readBigUInt64BE(TAG) ^ maskOf(tag))
      return id !== undefined && tagOf(id).equals(tag) ? id : undefined
    },
  }
}

function blockOf(id: number): Buffer {
  const block = Buffer.alloc(BLOCK)
  block.writeBigUInt64BE(BigInt(id), 0)
  return block
}

const fromHex = (text: string, bytes: number): Buffer | undefined =>
  text.length === 2 * bytes && /^[0-9a-f]+$/.test(text) ? Buffer.from(text, 'hex') : undefined

const asNumber = (value: bigint): number | undefined =>
  value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : undefined
