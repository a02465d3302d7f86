// RSA primes that derive from a seed: the first suitable one at or above the seed's number, and as long as the seed.
import { checkPrime, checkPrimeSync } from 'node:crypto'
import { promisify } from 'node:util'

/** The public exponent that the primes are suitable for. */
export const EXPONENT = 65_537n

const isPrime = promisify(
  checkPrime as (candidate: bigint, done: (error: Error | null, isPrime: boolean) => void) => void,
)

/** Blocks this thread: for about half a second with 192 bytes. */
export function findPrimeSync(seed: Buffer): bigint {
  for (const candidate of candidates(seed)) if (checkPrimeSync(candidate)) return candidate
  throw new RangeError('There is no prime above this seed')
}

/** The same prime, found on the thread pool. */
export async function findPrime(seed: Buffer): Promise<bigint> {
  for (const candidate of candidates(seed)) if (await isPrime(candidate)) return candidate
  throw new RangeError('There is no prime above this seed')
}

/** Odd numbers from the seed upwards without a small factor; each minus one is coprime to the exponent, as RSA needs. */
function* candidates(seed: Buffer): Generator<bigint> {
  const first = Buffer.from(seed)
  // With both top bits set, the product of two such primes is always twice as long.
  first[0]! |= 0xc0
  first[first.length - 1]! |= 1
  const start = BigInt(`0x${first.toString('hex')}`)
  const primes = smallPrimes()
  const remainders = primes.map((prime) => Number(start % BigInt(prime)))
  const exponentRemainder = Number(start % EXPONENT)
  for (let step = 0; ; step += 2) {
    const isComposite = primes.some((prime, i) => (remainders[i]! + step) % prime === 0)
    if (!isComposite && (exponentRemainder + step) % Number(EXPONENT) !== 1) yield start + BigInt(step)
  }
}

let known: readonly number[] | undefined
/** Made with the first key: at the start this loop alone brings V8’s optimizing compiler into memory. */
const smallPrimes = (): readonly number[] => (known ??= primesBelow(8_192))

/** Odd primes, by the sieve of Eratosthenes. */
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
