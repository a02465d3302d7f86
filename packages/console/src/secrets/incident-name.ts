// The public names of an incident contain its number, encrypted: they look random, can be verified, and need no index.
//
//   hash id, 16 bytes: AES(| number, 8 bytes | zeros, 8 bytes |)
//   key part, 12 bytes: | tag = AES(number), first 4 bytes | number XOR AES(tag), first 8 bytes |
import type { Vault } from './vault.ts'

export interface IncidentName {
  /** 32 hex digits. */
  readonly hashId: string
  /** The 24 hex digits inside an incident's key. */
  readonly keyPart: string
}

export interface IncidentNames {
  of(incidentId: number): IncidentName
  /** The number of a hash id; undefined for a forged one. */
  fromHashId(hashId: string): number | undefined
  /** The number of `incident:<slug>:<24 hex>:…`; undefined for a forged one. */
  fromKey(incidentKey: string): number | undefined
}

const BLOCK = 16
const NUMBER = 8
const TAG = 4
const KEY_PART = TAG + NUMBER
const NUMBERS_PER_BATCH = 256

/** The names of consecutive numbers, in hex, one behind the other. */
interface NamedNumbers {
  readonly first: number
  readonly hashIds: string
  readonly keyParts: string
}

export function incidentNames(vault: Vault): IncidentNames {
  const hash = vault.blockCipher('incident hash')
  const tags = vault.blockCipher('incident tag')
  const masks = vault.blockCipher('incident mask')

  const tagOf = (id: number): Buffer => tags.encrypt(blocksOf(id, 1)).subarray(0, TAG)
  const maskOf = (tag: Buffer): bigint => {
    const block = Buffer.alloc(BLOCK)
    tag.copy(block)
    return masks.encrypt(block).readBigUInt64BE(0)
  }

  // A call of the cipher costs more than its blocks: consecutive numbers share one.
  let made: NamedNumbers | undefined
  function make(first: number): NamedNumbers {
    const numbers = blocksOf(first, NUMBERS_PER_BATCH)
    const tagged = tags.encrypt(numbers)
    for (let at = 0; at < tagged.length; at += BLOCK) tagged.fill(0, at + TAG, at + BLOCK)
    const masked = masks.encrypt(tagged)
    const parts = Buffer.alloc(NUMBERS_PER_BATCH * KEY_PART)
    for (let n = 0; n < NUMBERS_PER_BATCH; n++) {
      tagged.copy(parts, n * KEY_PART, n * BLOCK, n * BLOCK + TAG)
      for (let at = 0; at < NUMBER; at++)
        parts[n * KEY_PART + TAG + at] = (numbers[n * BLOCK + at] ?? 0) ^ (masked[n * BLOCK + at] ?? 0)
    }
    return { first, hashIds: hash.encrypt(numbers).toString('hex'), keyParts: parts.toString('hex') }
  }

  return {
    of(id) {
      const first = id - (id % NUMBERS_PER_BATCH)
      if (made?.first !== first) made = make(first)
      const nth = id - first
      const hexOf = (names: string, bytes: number): string =>
        names.slice(nth * 2 * bytes, (nth + 1) * 2 * bytes)
      return { hashId: hexOf(made.hashIds, BLOCK), keyPart: hexOf(made.keyParts, KEY_PART) }
    },
    fromHashId(hashId) {
      const bytes = fromHex(hashId, BLOCK)
      const block = bytes && hash.decrypt(bytes)
      return block?.readBigUInt64BE(NUMBER) === 0n ? asNumber(block.readBigUInt64BE(0)) : undefined
    },
    fromKey(incidentKey) {
      const bytes = fromHex(incidentKey.split(':')[2] ?? '', KEY_PART)
      if (!bytes) return undefined
      const tag = bytes.subarray(0, TAG)
      const id = asNumber(bytes.readBigUInt64BE(TAG) ^ maskOf(tag))
      return id !== undefined && tagOf(id).equals(tag) ? id : undefined
    },
  }
}

/** A block for each of `count` numbers from `first` on. */
function blocksOf(first: number, count: number): Buffer {
  const blocks = Buffer.alloc(BLOCK * count)
  for (let n = 0; n < count; n++) blocks.writeBigUInt64BE(BigInt(first + n), n * BLOCK)
  return blocks
}

const fromHex = (text: string, bytes: number): Buffer | undefined =>
  text.length === 2 * bytes && /^[0-9a-f]+$/.test(text) ? Buffer.from(text, 'hex') : undefined

const asNumber = (value: bigint): number | undefined =>
  value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : undefined
