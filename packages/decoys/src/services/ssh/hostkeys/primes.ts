// Primes of 1,536 bits that follow from a seed: the first one at or after the seed's number that RSA can use.
import { checkPrime, checkPrimeSync } from 'node:crypto'
import { promisify } from 'node:util'

export const PRIME_BYTES = 192
export const EXPONENT = 65_537n

const isPrimeSoon = promisify(
  checkPrime as (candidate: bigint, done: (e: Error | null, is: boolean) => void) => void,
)

/** Takes about half a second of this thread. `seed`: 192 bytes. */
export function primeFrom(seed: Buffer): bigint {
  for (const candidate of candidates(seed)) if (checkPrimeSync(candidate)) return candidate
  throw new RangeError('There is no prime above this seed')
}

/** The same prime, found on the thread pool. */
export async function primeFromSoon(seed: Buffer): Promise<bigint> {
  for (const candidate of candidates(seed)) if (await isPrimeSoon(candidate)) return candidate
  throw new RangeError('There is no prime above this seed')
}

/** Odd numbers from the seed upwards without a small factor, whose predecessor has no factor in common with 65537. */
function* candidates(seed: Buffer): Generator<bigint> {
  const first = Buffer.from(seed)
  // With both top bits set, two such primes always make a modulus of 3,072 bits.
  first[0]! |= 0xc0
  first[first.length - 1]! |= 1
  const start = BigInt(`0x${first.toString('hex')}`)
  const rests = SMALL_PRIMES.map((prime) => Number(start % BigInt(prime)))
  const beyond = Number(start % EXPONENT)
  for (let step = 0; ; step += 2) {
    const isComposite = SMALL_PRIMES.some((prime, i) => (rests[i]! + step) % prime === 0)
    if (!isComposite && (beyond + step) % Number(EXPONENT) !== 1) yield start + BigInt(step)
  }
}

const SMALL_PRIMES = primesBelow(8192)

function primesBelow(limit: number): number[] {
  const isComposite = new Uint8Array(limit)
  const primes: number[] = []
  for (let n = 3; n < limit; n += 2) {
    if (isComposite[n]) continue
    primes.push(n)
    for (let multiple = n * n; multiple < limit; multiple += 2 * n) isComposite[multiple] = 1
  }
  return primes
}
