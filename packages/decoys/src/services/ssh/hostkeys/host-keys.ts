// The host keys of a Bird: made from what is its own for ever, so that they are the same after every restart. They are kept
// for as long as the process lives; the RSA key is searched on the thread pool from the first visit on.
import { ecdsaP256 } from './ecdsa.ts'
import { ed25519 } from './ed25519.ts'
import type { Derive, HostKey } from './host-key.ts'
import { PRIME_BYTES, primeFrom, primeFromSoon } from './primes.ts'
import { rsa } from './rsa.ts'

/** By Bird, and for the common case by the function that speaks for it. */
const rings = new Map<string, Ring>()
const kept = new WeakMap<Derive, Ring>()

interface Ring {
  readonly ed25519: HostKey
  readonly ecdsa: HostKey
  rsa: HostKey | undefined
  search: Promise<void> | undefined
}

/** The key for a host key algorithm. Searching an RSA key that nobody has prepared takes about a second. */
export function hostKey(derive: Derive, algorithm: string): HostKey {
  const ring = ringOf(derive)
  if (algorithm === 'ssh-ed25519') return ring.ed25519
  if (algorithm === 'ecdsa-sha2-nistp256') return ring.ecdsa
  const [p, q] = seeds(derive)
  return (ring.rsa ??= rsa(primeFrom(p), primeFrom(q)))
}

/** Starts to make the keys if nobody has; resolves when the RSA key is there too. */
export function prepareHostKeys(derive: Derive): Promise<void> {
  const ring = ringOf(derive)
  return (ring.search ??= search(derive, ring))
}

function ringOf(derive: Derive): Ring {
  let ring = kept.get(derive)
  if (!ring) {
    const seed = derive('ssh/host-key/ring', 32).toString('hex')
    ring = rings.get(seed) ?? {
      ed25519: ed25519(derive),
      ecdsa: ecdsaP256(derive),
      rsa: undefined,
      search: undefined,
    }
    rings.set(seed, ring)
    kept.set(derive, ring)
  }
  return ring
}

async function search(derive: Derive, ring: Ring): Promise<void> {
  const [p, q] = await Promise.all(seeds(derive).map(primeFromSoon))
  ring.rsa ??= rsa(p!, q!)
}

const seeds = (derive: Derive): [Buffer, Buffer] => [
  derive('ssh/host-key/rsa/p', PRIME_BYTES),
  derive('ssh/host-key/rsa/q', PRIME_BYTES),
]
