// Token ids prove themselves: the last 5 of 25 characters are a MAC of the first 20, so noise is turned away unasked.
import { alphanumeric } from '@rookery/kernel/ids.ts'
import type { Random } from '@rookery/kernel/world.ts'
import type { Permutation, Vault } from './vault.ts'

const RANDOM = 20
const MAC = 5
const BLOCK = 16
const MOST_TRIES = 256

/** 20 characters of 6 bits fill one block: a tenth of what an HMAC costs. */
function macOf(head: string, blocks: Permutation): string {
  const block = Buffer.alloc(BLOCK)
  for (let at = 0; at < RANDOM; at += 4) {
    const four =
      (value(head, at) << 18) | (value(head, at + 1) << 12) | (value(head, at + 2) << 6) | value(head, at + 3)
    block.writeUIntBE(four, (at / 4) * 3, 3)
  }
  // 48 bits over 36⁵: no character is likelier by more than one in four million.
  let rest = blocks.forth(block).readUIntBE(0, 6)
  let mac = ''
  for (; mac.length < MAC; rest = Math.floor(rest / 36)) mac += (rest % 36).toString(36)
  return mac
}

/** 0 to 35 of `0-9` and `a-z`. */
function value(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return code < 58 ? code - 48 : code - 87
}

interface Keyed {
  readonly blocks: Permutation
  /** Ids that have proven themselves: what is touched once is mostly touched again. */
  readonly proven: Set<string>
}

const MOST_PROVEN = 10_000
const keyed = new WeakMap<Vault, Keyed>()

function keyedBy(vault: Vault): Keyed {
  const known = keyed.get(vault) ?? { blocks: vault.permutation('token'), proven: new Set() }
  keyed.set(vault, known)
  return known
}

export function newTokenId(random: Random, vault: Vault): string {
  const head = alphanumeric(random, RANDOM)
  return head + macOf(head, keyedBy(vault).blocks)
}

function isOurs(id: string, { blocks, proven }: Keyed): boolean {
  if (proven.has(id)) return true
  if (macOf(id.slice(0, RANDOM), blocks) !== id.slice(RANDOM)) return false
  if (proven.size >= MOST_PROVEN) proven.clear()
  proven.add(id)
  return true
}

/** The first token id in a text, wherever it stands between other characters; undefined when none is ours. */
export function findTokenId(text: string, vault: Vault): string | undefined {
  const known = keyedBy(vault)
  let tries = 0
  for (const [run] of text.toLowerCase().matchAll(/[a-z0-9]{25,}/g)) {
    // A run may carry more than the id, but nobody writes a long one around it.
    for (let at = 0; at + RANDOM + MAC <= run.length && at < 64; at++) {
      // Nor many such runs, but to keep us busy.
      if (++tries > MOST_TRIES) return undefined
      const id = run.slice(at, at + RANDOM + MAC)
      if (isOurs(id, known)) return id
    }
  }
  return undefined
}
