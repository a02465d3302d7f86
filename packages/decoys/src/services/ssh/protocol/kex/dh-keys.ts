// Finite-field Diffie-Hellman by node:crypto, on the threads of libuv's pool: a group of 8192 bits takes 50 ms and more.
// Its DiffieHellman class works on the thread of the event loop, and tests for seconds whether a given prime is safe.
import {
  createPublicKey,
  diffieHellman,
  generateKeyPair,
  type KeyObject,
  type KeyPairKeyObjectResult,
} from 'node:crypto'
import { promisify } from 'node:util'
import { turns } from './turns.ts'

declare module 'node:crypto' {
  /** Node documents the type `dh` (crypto.generateKeyPair); its declarations leave it out. */
  function generateKeyPair(
    type: 'dh',
    options: { readonly prime: Buffer; readonly generator: number },
    callback: (error: Error | null, publicKey: KeyObject, privateKey: KeyObject) => void,
  ): void
}

export interface Group {
  /** Big-endian, without leading zeros. */
  readonly prime: Buffer
  readonly generator: number
}

const generate = ({ prime, generator }: Group): Promise<KeyPairKeyObjectResult> =>
  new Promise((resolve, reject) => {
    generateKeyPair('dh', { prime, generator }, (error, publicKey, privateKey) =>
      error ? reject(error) : resolve({ publicKey, privateKey }),
    )
  })

const derive = promisify<Parameters<typeof diffieHellman>[0], Buffer>((keys, done) =>
  diffieHellman(keys, done),
)

/** The pool has four threads by default, and files need some. */
const inTurn = turns(2)

/** Our public value and the shared secret, as long as the prime. Undefined unless `1 < peer < prime − 1`. */
export const exchangeKeys = (
  group: Group,
  peer: Buffer,
): Promise<{ readonly publicKey: Buffer; readonly secret: Buffer } | undefined> =>
  inTurn(async () => {
    const { publicKey, privateKey } = await generate(group)
    const { algorithm, value } = readPublicKey(publicKey)
    try {
      const peerKey = createPublicKey({ key: publicKeyInfo(algorithm, peer), format: 'der', type: 'spki' })
      return { publicKey: value, secret: await derive({ privateKey, publicKey: peerKey }) }
    } catch {
      return undefined
    }
  })

/** `SEQUENCE { algorithm, BIT STRING { 0, INTEGER value } }` (RFC 5280, 4.1; RFC 3279, 2.3.3) */
function readPublicKey(key: KeyObject): { readonly algorithm: Buffer; readonly value: Buffer } {
  const info = content(key.export({ format: 'der', type: 'spki' }))
  const algorithm = info.subarray(0, lengthOf(info))
  const bits = content(info.subarray(algorithm.length))
  return { algorithm, value: content(bits.subarray(1)) }
}

const publicKeyInfo = (algorithm: Buffer, value: Buffer): Buffer =>
  der(0x30, Buffer.concat([algorithm, der(0x03, Buffer.concat([Buffer.from([0]), integer(value)]))]))

/** Of the element in front: bytes before its content, and of its content. The length is short, or 0x81/0x82 and bytes. */
function header(element: Buffer): { readonly before: number; readonly length: number } {
  const first = element.readUInt8(1)
  if (first < 0x80) return { before: 2, length: first }
  const bytes = first & 0x7f
  return { before: 2 + bytes, length: element.readUIntBE(2, bytes) }
}

function content(element: Buffer): Buffer {
  const { before, length } = header(element)
  return element.subarray(before, before + length)
}

function lengthOf(element: Buffer): number {
  const { before, length } = header(element)
  return before + length
}

function integer(bytes: Buffer): Buffer {
  let start = 0
  while (start < bytes.length - 1 && bytes[start] === 0) start += 1
  const digits = bytes.subarray(start)
  return der(0x02, (digits[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.from([0]), digits]) : digits)
}

function der(tag: number, bytes: Buffer): Buffer {
  const n = bytes.length
  const length = n < 0x80 ? [n] : n < 0x100 ? [0x81, n] : [0x82, n >> 8, n & 0xff]
  return Buffer.concat([Buffer.from([tag, ...length]), bytes])
}
