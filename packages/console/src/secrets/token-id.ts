// Token ids of 25 characters: 20 random ones and a MAC of 5. An id of another console is recognised without a query.
import { boundedMap, type BoundedMap } from '@rookery/kernel/bounded-map.ts'
import { alphanumeric } from '@rookery/kernel/ids.ts'
import { limit } from '@rookery/kernel/limit.ts'
import type { Random } from '@rookery/kernel/world.ts'
import type { BlockCipher, Vault } from './vault.ts'

const RANDOM_CHARACTERS = 20
const MAC_CHARACTERS = 5
const ID_CHARACTERS = RANDOM_CHARACTERS + MAC_CHARACTERS
const BLOCK_BYTES = 16

/** Places of a text that are looked at: a long text of alphanumerics must not cost more. */
const MAX_TRIES = 256
/** Places within one run of alphanumerics. */
const MAX_TRIES_PER_RUN = 64
/** Ids of tokens whose MAC was right. */
const VERIFIED = limit('verified_token_ids', 10_000)

interface Verifier {
  readonly cipher: BlockCipher
  /** Ids whose MAC was right: a token that was touched once is often touched again. */
  readonly verified: BoundedMap<string, true>
}

const verifiers = new WeakMap<Vault, Verifier>()

function verifierOf(vault: Vault): Verifier {
  const known = verifiers.get(vault)
  if (known) return known
  const made = { cipher: vault.blockCipher('token'), verified: boundedMap<string, true>(VERIFIED) }
  verifiers.set(vault, made)
  return made
}

/** 20 characters of 6 bits fill one block, which costs a tenth of an HMAC. */
function macOf(head: string, cipher: BlockCipher): string {
  const block = Buffer.alloc(BLOCK_BYTES)
  for (let at = 0; at < RANDOM_CHARACTERS; at += 4) {
    const bits =
      (value(head, at) << 18) | (value(head, at + 1) << 12) | (value(head, at + 2) << 6) | value(head, at + 3)
    block.writeUIntBE(bits, (at / 4) * 3, 3)
  }
  // 48 bits over 36⁵: no character is likelier by more than one in four million.
  let rest = cipher.encrypt(block).readUIntBE(0, 6)
  let mac = ''
  for (; mac.length < MAC_CHARACTERS; rest = Math.floor(rest / 36)) mac += (rest % 36).toString(36)
  return mac
}

/** 0 to 35 of `0-9` and `a-z`. */
function value(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return code < 58 ? code - 48 : code - 87
}

export function newTokenId(random: Random, vault: Vault): string {
  const head = alphanumeric(random, RANDOM_CHARACTERS)
  return head + macOf(head, verifierOf(vault).cipher)
}

function hasValidMac(id: string, { cipher, verified }: Verifier): boolean {
  if (verified.get(id)) return true
  if (macOf(id.slice(0, RANDOM_CHARACTERS), cipher) !== id.slice(RANDOM_CHARACTERS)) return false
  verified.set(id, true)
  return true
}

/** Letters and digits may be percent-encoded without another meaning (RFC 3986, 6.2.2.2). */
const ENCODED = /%(3[0-9]|[46][1-9a-f]|[57][0-9a])/gi

const decoded = (text: string): string =>
  text.includes('%')
    ? text.replace(ENCODED, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : text

/** The first token id in a text, wherever it stands between other characters; undefined when none is this console's. */
export function findTokenId(text: string, vault: Vault): string | undefined {
  const verifier = verifierOf(vault)
  if (verifier.verified.get(text)) return text
  let tries = 0
  for (const [run] of decoded(text)
    .toLowerCase()
    .matchAll(/[a-z0-9]{25,}/g)) {
    for (let at = 0; at + ID_CHARACTERS <= run.length && at < MAX_TRIES_PER_RUN; at++) {
      if (++tries > MAX_TRIES) return undefined
      const id = run.slice(at, at + ID_CHARACTERS)
      if (hasValidMac(id, verifier)) return id
    }
  }
  return undefined
}
