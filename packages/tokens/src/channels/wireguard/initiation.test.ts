import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sealInitiation, tai64n } from './seal-initiation.ts'
import { openResponder } from './initiation.ts'
import { INITIATION, mac1Of } from './noise.ts'
import { readTai64n } from './tai64n.ts'
import { clamped, privateKey, publicBytes, sharedSecret } from './x25519.ts'

const SENT_AT = Date.UTC(2026, 10, 23, 5, 30, 7, 250)
const server = openResponder(Buffer.alloc(32, 7))
const client = Buffer.alloc(32, 9)
const clientKey = publicBytes(privateKey(client))

const sealed = (to: Uint8Array = server.publicKey): Buffer =>
  sealInitiation({
    own: client,
    ephemeral: Buffer.alloc(32, 3),
    responder: to,
    sessionIndex: 0xfedcba98,
    sentAt: SENT_AT,
  })

/** The same message after a change, under a MAC that fits. */
function withMac(message: Buffer): Buffer {
  const mac = mac1Of(server.publicKey)(message.subarray(0, INITIATION.mac1))
  mac.copy(message, INITIATION.mac1)
  return message
}

describe('an initiation', () => {
  it('shows whose key it comes from, when it was sent, and its session', () => {
    const message = sealed()
    expect(message).toHaveLength(148)
    expect(server.hasValidMac(message)).toBe(true)
    expect(server.open(message)).toEqual({
      sessionIndex: 0xfedcba98,
      ephemeralKey: publicBytes(privateKey(Buffer.alloc(32, 3))),
      clientKey,
      sentAt: SENT_AT,
    })
  })

  it('for another server is refused by its MAC', () => {
    expect(server.hasValidMac(sealed(openResponder(Buffer.alloc(32, 8)).publicKey))).toBe(false)
  })

  it('is refused when a byte of it is altered: by the MAC, and under a right one by its seals', () => {
    fc.assert(
      fc.property(fc.nat(INITIATION.mac2 - 1), fc.integer({ min: 1, max: 255 }), (at, by) => {
        const message = sealed()
        message[at]! ^= by
        expect(server.hasValidMac(message)).toBe(false)
        // The sender's index is not sealed; the top bit of a key does not count (RFC 7748, 5), but is hashed.
        if (at >= INITIATION.ephemeral && at < INITIATION.mac1)
          expect(server.open(withMac(message))).toBeUndefined()
      }),
      { numRuns: 60 },
    )
  })

  it('of any bytes and any length is nothing', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(server.hasValidMac(Buffer.from(bytes))).toBe(false)
        expect(server.open(Buffer.from(bytes))).toBeUndefined()
      }),
    )
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 148, maxLength: 148 }), (bytes) => {
        expect(server.open(withMac(Buffer.from(bytes)))).toBeUndefined()
      }),
      { numRuns: 30 },
    )
  })

  it('with an ephemeral key that yields no secret is nothing', () => {
    const message = sealed()
    message.fill(0, INITIATION.ephemeral, INITIATION.key)
    expect(server.open(withMac(message))).toBeUndefined()
    expect(sharedSecret(privateKey(client), Buffer.alloc(32))).toBeUndefined()
  })
})

describe('a TAI64N label', () => {
  it('is an instant in milliseconds', () => {
    expect(readTai64n(tai64n(SENT_AT))).toBe(SENT_AT)
    // As wireguard.com/protocol counts: 10 s after 2^62 is the epoch.
    expect(readTai64n(Buffer.from('400000000000000a00000000', 'hex'))).toBe(0)
    expect(readTai64n(Buffer.from('400000000000000b3b9ac9ff', 'hex'))).toBe(1_999)
  })

  it('out of reach is the farthest instant', () => {
    expect(new Date(readTai64n(Buffer.alloc(12, 0xff))).getTime()).toBe(8_640_000_000_000_000)
    expect(new Date(readTai64n(Buffer.alloc(12))).getTime()).toBe(-8_640_000_000_000_000)
  })
})

it('a private key has the bits that tools set, which change nothing (RFC 7748, 5)', () => {
  const key = clamped(Buffer.alloc(32, 0xff))
  expect([key[0], key[31]]).toEqual([0xf8, 0x7f])
  expect(publicBytes(privateKey(key))).toEqual(publicBytes(privateKey(Buffer.alloc(32, 0xff))))
})
