// base ^ exponent mod prime by node:crypto's Diffie-Hellman, many times faster than BigInt. Its DiffieHellman class tests
// whether a given prime is safe, which takes seconds; keys read from DER are not tested.
import { createPrivateKey, createPublicKey, diffieHellman } from 'node:crypto'

/** DER of the object identifier 1.2.840.113549.1.3.1, dhKeyAgreement. */
const DH_KEY_AGREEMENT = Buffer.from('06092a864886f70d010301', 'hex')

/** All numbers big-endian; the result is as long as the prime. Undefined unless `1 < base < prime − 1`. */
export function modexp(base: Buffer, exponent: Buffer, prime: Buffer, generator: number): Buffer | undefined {
  const algorithm = sequence(DH_KEY_AGREEMENT, sequence(integer(prime), integer(Buffer.from([generator]))))
  const privateKey = createPrivateKey({
    key: sequence(integer(Buffer.from([0])), algorithm, der(0x04, integer(exponent))),
    format: 'der',
    type: 'pkcs8',
  })
  try {
    const publicKey = createPublicKey({
      key: sequence(algorithm, der(0x03, Buffer.concat([Buffer.from([0]), integer(base)]))),
      format: 'der',
      type: 'spki',
    })
    return diffieHellman({ privateKey, publicKey })
  } catch {
    return undefined
  }
}

const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, Buffer.concat(parts))

function integer(bytes: Buffer): Buffer {
  let start = 0
  while (start < bytes.length - 1 && bytes[start] === 0) start += 1
  const digits = bytes.subarray(start)
  return der(0x02, (digits[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.from([0]), digits]) : digits)
}

/** `tag | length (short, or 0x81/0x82 and bytes) | content` */
function der(tag: number, content: Buffer): Buffer {
  const n = content.length
  const length = n < 0x80 ? [n] : n < 0x100 ? [0x81, n] : [0x82, n >> 8, n & 0xff]
  return Buffer.concat([Buffer.from([tag, ...length]), content])
}
