// The host keys of a Bird. They derive from its seed, so that they are the same after every restart. Each process computes
// them once; the search for the RSA primes runs on the thread pool from the first connection on.
import { findPrime, findPrimeSync } from '../../../../machine/primes.ts'
import { ecdsaP256 } from './ecdsa.ts'
import { ed25519 } from './ed25519.ts'
import type { Derive, HostKey } from './host-key.ts'
import { rsa } from './rsa.ts'

/** Of a key of 3,072 bits. */
const PRIME_BYTES = 192

interface HostKeySet {
  readonly ed25519: HostKey
  readonly ecdsa: HostKey
  rsa: HostKey | undefined
  /** Runs while the RSA key is computed. */
  rsaSearch: Promise<void> | undefined
}

/** By a digest of the Bird's seed; by the function itself too, which spares the digest. */
const setBySeed = new Map<string, HostKeySet>()
const setByDerive = new WeakMap<Derive, HostKeySet>()

/** The key for a host key algorithm. An RSA key that `prepareHostKeys` has not finished takes about a second. */
export function hostKey(derive: Derive, algorithm: string): HostKey {
  const set = hostKeySet(derive)
  if (algorithm === 'ssh-ed25519') return set.ed25519
  if (algorithm === 'ecdsa-sha2-nistp256') return set.ecdsa
  const [p, q] = primeSeeds(derive)
  return (set.rsa ??= rsa(findPrimeSync(p), findPrimeSync(q)))
}

/** Starts to compute the keys, once; resolves when the RSA key is there too. */
export function prepareHostKeys(derive: Derive): Promise<void> {
  const set = hostKeySet(derive)
  return (set.rsaSearch ??= findRsaKey(derive, set))
}

function hostKeySet(derive: Derive): HostKeySet {
  const known = setByDerive.get(derive)
  if (known) return known
  const seed = derive('ssh/host-key/set', 32).toString('hex')
  const set = setBySeed.get(seed) ?? {
    ed25519: ed25519(derive),
    ecdsa: ecdsaP256(derive),
    rsa: undefined,
    rsaSearch: undefined,
  }
  setBySeed.set(seed, set)
  setByDerive.set(derive, set)
  return set
}

async function findRsaKey(derive: Derive, set: HostKeySet): Promise<void> {
  const [p, q] = await Promise.all(primeSeeds(derive).map(findPrime))
  set.rsa ??= rsa(p!, q!)
}

const primeSeeds = (derive: Derive): [Buffer, Buffer] => [
  derive('ssh/host-key/rsa/p', PRIME_BYTES),
  derive('ssh/host-key/rsa/q', PRIME_BYTES),
]
