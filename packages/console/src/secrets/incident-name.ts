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
const NUMBERS_PER_BATCH = 256

/** The blocks of consecutive numbers. */
interface NumberBatch {
  readonly first: number
  readonly numbers: Buffer
  readonly hashes: Buffer
  readonly tags: Buffer
  readonly masks: Buffer
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
  let made: NumberBatch | undefined
  function make(first: number): NumberBatch {
    const numbers = blocksOf(first, NUMBERS_PER_BATCH)
    const tagged = tags.encrypt(numbers)
    for (let at = 0; at < tagged.length; at += BLOCK) tagged.fill(0, at + TAG, at + BLOCK)
    return { first, numbers, hashes: hash.encrypt(numbers), tags: tagged, masks: masks.encrypt(tagged) }
  }

  return {
    of(id) {
      const first = id - (id % NUMBERS_PER_BATCH)
      if (made?.first !== first) made = make(first)
      const at = (id - first) * BLOCK
      const part = Buffer.alloc(TAG + NUMBER)
      made.tags.copy(part, 0, at, at + TAG)
      for (let n = 0; n < NUMBER; n++) part[TAG + n] = (made.numbers[at + n] ?? 0) ^ (made.masks[at + n] ?? 0)
      return { hashId: made.hashes.toString('hex', at, at + BLOCK), keyPart: part.toString('hex') }
    },
    fromHashId(hashId) {
      const bytes = fromHex(hashId, BLOCK)
      const block = bytes && hash.decrypt(bytes)
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
