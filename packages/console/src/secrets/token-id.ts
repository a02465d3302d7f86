// Token ids prove themselves: the last 5 of 25 characters are a MAC of the first 20, so noise is turned away unasked.
import { alphanumeric, toAlphanumeric } from '@rookery/kernel/ids.ts'
import type { Random } from '@rookery/kernel/world.ts'
import type { Permutation, Vault } from './vault.ts'

const RANDOM = 20
const MAC = 5
const BLOCK = 16
const MOST_TRIES = 256

/** CBC-MAC over two blocks: sound because every head has the same length, and a fifth of an HMAC's cost. */
function macOf(head: string, blocks: Permutation): string {
  const [first, second] = [Buffer.alloc(BLOCK), Buffer.alloc(BLOCK)]
  first.write(head.slice(0, BLOCK), 'latin1')
  second.write(head.slice(BLOCK), 'latin1')
  const chained = blocks.forth(first)
  for (let at = 0; at < BLOCK; at++) chained[at] = (chained[at] ?? 0) ^ (second[at] ?? 0)
  return toAlphanumeric(blocks.forth(chained).subarray(0, 8), MAC)
}

const keyed = new WeakMap<Vault, Permutation>()

function blocksOf(vault: Vault): Permutation {
  const known = keyed.get(vault) ?? vault.permutation('token')
  keyed.set(vault, known)
  return known
}

export function newTokenId(random: Random, vault: Vault): string {
  const head = alphanumeric(random, RANDOM)
  return head + macOf(head, blocksOf(vault))
}

/** The first token id in a text, wherever it stands between other characters; undefined when none is ours. */
export function findTokenId(text: string, vault: Vault): string | undefined {
  const blocks = blocksOf(vault)
  let tries = 0
  for (const [run] of text.toLowerCase().matchAll(/[a-z0-9]{25,}/g)) {
    // A run may carry more than the id, but nobody writes a long one around it.
    for (let at = 0; at + RANDOM + MAC <= run.length && at < 64; at++) {
      // Nor many such runs, but to keep us busy.
      if (++tries > MOST_TRIES) return undefined
      const id = run.slice(at, at + RANDOM + MAC)
      if (macOf(id.slice(0, RANDOM), blocks) === id.slice(RANDOM)) return id
    }
  }
  return undefined
}
