// Passwords at rest: scrypt (RFC 7914), with parameters and salt next to each hash, so that they can grow.
// Layout: scrypt$<log2 N>$<r>$<p>$<salt>$<hash>, base64url.
import { scrypt, timingSafeEqual } from 'node:crypto'
import { Fault } from '@rookery/kernel/fault.ts'
import { limit } from '@rookery/kernel/limit.ts'
import type { Random } from '@rookery/kernel/world.ts'

export const MIN_PASSWORD = 12
export const MAX_PASSWORD = 1_000

/** Parameters of scrypt (RFC 7914, section 2). */
export interface PasswordCost {
  /** Logarithm of N to the base 2. */
  readonly logN: number
  readonly r: number
  readonly p: number
}

/** 32 MiB and about a quarter of a second; one of OWASP's equivalent sets (Password Storage Cheat Sheet). */
export const PASSWORD_COST: PasswordCost = { logN: 15, r: 8, p: 3 }
const LAYOUT = /^scrypt\$(\d+)\$(\d+)\$(\d+)\$([\w-]*)\$([\w-]*)$/
const SALT = 16
const HASH = 32

/** Each derivation fills a thread and 32 MiB: strangers who log in must not occupy all threads. */
const CONCURRENT_DERIVATIONS = 2
/** Passwords of strangers that wait to be hashed; further ones are answered with 429. */
const WAITING = limit('waiting_passwords', 64)
/** The same of people who are known: they wait in a queue of their own, which goes first, however many strangers there are. */
const WAITING_KNOWN = limit('waiting_passwords_of_known_people', 64)

/** The text to store for a password. Throws `too-many` while too many are being checked. */
export async function hashPassword(
  random: Random,
  password: string,
  cost: PasswordCost = PASSWORD_COST,
): Promise<string> {
  const salt = random.bytes(SALT)
  const hash = await derive(password, salt, cost, true)
  return ['scrypt', cost.logN, cost.r, cost.p, base64(salt), base64(hash)].join('$')
}

/** Whether `stored` is of this password. With an empty one it takes as long, and is false. `isKnown` goes before strangers. */
export async function isPassword(password: string, stored: string, isKnown = false): Promise<boolean> {
  const [, logN, r, p, salt = '', hash = ''] = LAYOUT.exec(stored) ?? []
  const cost = logN === undefined ? PASSWORD_COST : { logN: Number(logN), r: Number(r), p: Number(p) }
  const derived = await derive(password, Buffer.from(salt, 'base64url'), cost, isKnown)
  const wanted = Buffer.from(hash, 'base64url')
  return wanted.length === derived.length && timingSafeEqual(wanted, derived)
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')

/** HMAC, in scrypt, fills a key up with zeros (RFC 2104, section 2): a byte that UTF-8 has not ends those of the password. */
const END = Buffer.from([0xff])

/** Keyboards write é as one code point or as two. */
function bytesOf(password: string): Buffer {
  const text = password.normalize('NFKC')
  return Buffer.concat([Buffer.from(text), ...(text.endsWith('\0') ? [END] : [])])
}

let running = 0
const known: (() => void)[] = []
const strangers: (() => void)[] = []

async function derive(
  password: string,
  salt: Uint8Array,
  cost: PasswordCost,
  isKnown: boolean,
): Promise<Buffer> {
  await acquire(isKnown)
  try {
    return await new Promise((resolve, reject) => {
      const N = 2 ** cost.logN
      // RFC 7914 needs 128 · N · r bytes; twice that is never reached.
      const options = { N, r: cost.r, p: cost.p, maxmem: 256 * N * cost.r + 2 ** 20 }
      scrypt(bytesOf(password), salt, HASH, options, (error, key) => (error ? reject(error) : resolve(key)))
    })
  } finally {
    const next = known.shift() ?? strangers.shift()
    if (next) next()
    else running--
  }
}

/** Resolves when a derivation may begin; each hands its place on when it ends. */
function acquire(isKnown: boolean): Promise<void> | undefined {
  if (running < CONCURRENT_DERIVATIONS) {
    running++
    return undefined
  }
  const [queue, most] = isKnown ? [known, WAITING_KNOWN] : [strangers, WAITING]
  if (queue.length >= most.max) {
    most.hit()
    throw new Fault('too-many', 'Too many passwords are being checked. Try again in a moment.', {
      retryAfterS: 5,
    })
  }
  return new Promise((resolve) => queue.push(resolve))
}
