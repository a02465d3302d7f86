// Certificates for servers of tests: an authority of its own and a certificate that it signed (RFC 5280, ECDSA P-256).
import { generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'

export interface TestAuthority {
  /** PEM: what a client must trust. */
  readonly ca: string
  /** For a TLS server at 127.0.0.1 and at `collector.test`. */
  readonly key: string
  readonly cert: string
}

export function makeAuthority(): TestAuthority {
  const authority = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const server = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const [issuer, subject] = [name(`Test Authority ${randomBytes(4).toString('hex')}`), name('collector.test')]
  // 4.2.1.9: an authority; 4.2.1.6: the server's names.
  const isAuthority = extension('2.5.29.19', seq(tlv(0x01, Buffer.from([0xff]))))
  const names = extension(
    '2.5.29.17',
    seq(tlv(0x82, Buffer.from('collector.test')), tlv(0x87, Buffer.from([127, 0, 0, 1]))),
  )
  return {
    ca: certificate(issuer, issuer, authority.publicKey, authority.privateKey, isAuthority),
    cert: certificate(issuer, subject, server.publicKey, authority.privateKey, names),
    key: server.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  }
}

/** 4.1: TBSCertificate, algorithm, signature. */
function certificate(
  issuer: Buffer,
  subject: Buffer,
  key: KeyObject,
  signedBy: KeyObject,
  ext: Buffer,
): string {
  const algorithm = seq(oid('1.2.840.10045.4.3.2'))
  const body = seq(
    tlv(0xa0, tlv(0x02, Buffer.from([2]))),
    tlv(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    issuer,
    seq(time(Date.now() - 86_400_000), time(Date.now() + 86_400_000)),
    subject,
    key.export({ type: 'spki', format: 'der' }),
    tlv(0xa3, seq(ext)),
  )
  const signature = sign('sha256', body, signedBy)
  const der = seq(body, algorithm, tlv(0x03, Buffer.concat([Buffer.from([0]), signature])))
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}

/** X.690, 8.1: tag, length, value. */
function tlv(tag: number, value: Buffer): Buffer {
  const { length } = value
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), value])
}
const seq = (...parts: readonly Buffer[]): Buffer => tlv(0x30, Buffer.concat(parts))

function oid(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number)
  const bytes = rest.flatMap((part) => {
    const digits = [part & 127]
    for (let left = part >> 7; left > 0; left >>= 7) digits.unshift((left & 127) | 128)
    return digits
  })
  return tlv(0x06, Buffer.from([first * 40 + second, ...bytes]))
}

const name = (common: string): Buffer => seq(tlv(0x31, seq(oid('2.5.4.3'), tlv(0x0c, Buffer.from(common)))))
const extension = (id: string, value: Buffer): Buffer => seq(oid(id), tlv(0x04, value))
const time = (at: number): Buffer =>
  tlv(0x17, Buffer.from(`${new Date(at).toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`))
