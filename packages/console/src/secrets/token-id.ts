// Token ids prove themselves: the last 5 of 25 characters are a MAC of the first 20, so noise is turned away unasked.
import { alphanumeric, toAlphanumeric } from '@rookery/kernel/ids.ts'
import type { Random } from '@rookery/kernel/world.ts'
import type { Vault } from './vault.ts'

const RANDOM = 20
const MAC = 5
const MOST_TRIES = 256

const macOf = (head: string, vault: Vault): string =>
  toAlphanumeric(vault.mac('token', head).subarray(0, 8), MAC)

export function newTokenId(random: Random, vault: Vault): string {
  const head = alphanumeric(random, RANDOM)
  return head + macOf(head, vault)
}

/** The first token id in a text, wherever it stands between other characters; undefined when none is ours. */
export function findTokenId(text: string, vault: Vault): string | undefined {
  let tries = 0
  for (const [run] of text.toLowerCase().matchAll(/[a-z0-9]{25,}/g)) {
    // A run may carry more than the id, but nobody writes a long one around it.
    for (let at = 0; at + RANDOM + MAC <= run.length && at < 64; at++) {
      // Nor many such runs, but to keep us busy.
      if (++tries > MOST_TRIES) return undefined
      const id = run.slice(at, at + RANDOM + MAC)
      if (macOf(id.slice(0, RANDOM), vault) === id.slice(RANDOM)) return id
    }
  }
  return undefined
}
