// ecdsa-sha2-nistp256 (RFC 5656, 3.1).
import { createECDH, createPrivateKey, sign } from 'node:crypto'
import { mpint, string } from '../codec/fields.ts'
import type { Derive, HostKey } from './host-key.ts'

const ORDER = 0xffff_ffff_0000_0000_ffff_ffff_ffff_ffff_bce6_faad_a717_9e84_f3b9_cac2_fc63_2551n

export function ecdsaP256(derive: Derive): HostKey {
  // 64 bits more than the order has, so that the remainder has no bias (FIPS 186-5, A.2.1).
  const wide = BigInt(`0x${derive('ssh/host-key/ecdsa-p256', 40).toString('hex')}`)
  const scalar = Buffer.from(((wide % (ORDER - 1n)) + 1n).toString(16).padStart(64, '0'), 'hex')
  const curve = createECDH('prime256v1')
  curve.setPrivateKey(scalar)
  const point = curve.getPublicKey()
  const key = createPrivateKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      d: scalar.toString('base64url'),
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    },
  })
  return {
    blob: Buffer.concat([string('ecdsa-sha2-nistp256'), string('nistp256'), string(point)]),
    sign(algorithm, text) {
      const pair = sign('sha256', text, { key, dsaEncoding: 'ieee-p1363' })
      const numbers = Buffer.concat([mpint(pair.subarray(0, 32)), mpint(pair.subarray(32))])
      return Buffer.concat([string(algorithm), string(numbers)])
    },
  }
}
