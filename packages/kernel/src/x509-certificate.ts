// Writes X.509 certificates (RFC 5280): Node.js reads them, but makes none.
import {
  bitString,
  der,
  explicit,
  nothing,
  objectIdentifier,
  octetString,
  sequence,
  set,
  time,
  truth,
  unsigned,
  utf8String,
} from './der.ts'

export interface CertificateFields {
  /** Big endian. */
  readonly serial: Uint8Array
  /** Common names. */
  readonly issuer: string
  readonly subject: string
  /** Milliseconds UTC. */
  readonly notBefore: number
  readonly notAfter: number
  /** SubjectPublicKeyInfo, DER. */
  readonly publicKey: Uint8Array
  /** Each made by a function of this file. */
  readonly extensions: readonly Buffer[]
}

export interface CertificateSigner {
  /** RSA (PKCS #1, 1.5) or ECDSA, with SHA-256. */
  readonly keyType: 'rsa' | 'ec'
  readonly sign: (body: Buffer) => Buffer
}

/** The signed certificate, as PEM. */
export function signCertificate(fields: CertificateFields, { keyType, sign }: CertificateSigner): string {
  const algorithm = ALGORITHMS[keyType]
  const body = toBeSigned(fields, algorithm)
  return pem(sequence(body, algorithm, bitString(sign(body))))
}

const ALGORITHMS: Readonly<Record<CertificateSigner['keyType'], Buffer>> = {
  rsa: sequence(objectIdentifier('1.2.840.113549.1.1.11'), nothing),
  ec: sequence(objectIdentifier('1.2.840.10045.4.3.2')),
}

/** TBSCertificate, version 3 (4.1). */
const toBeSigned = (fields: CertificateFields, algorithm: Buffer): Buffer =>
  sequence(
    explicit(0, unsigned(Buffer.from([2]))),
    unsigned(Buffer.from(fields.serial)),
    algorithm,
    commonName(fields.issuer),
    sequence(time(fields.notBefore), time(fields.notAfter)),
    commonName(fields.subject),
    Buffer.from(fields.publicKey),
    explicit(3, sequence(...fields.extensions)),
  )

const commonName = (name: string): Buffer =>
  sequence(set(sequence(objectIdentifier('2.5.4.3'), utf8String(name))))

const extension = (id: string, value: Buffer, isCritical = false): Buffer =>
  sequence(objectIdentifier(id), ...(isCritical ? [truth] : []), octetString(value))

/** 4.2.1.9. The certificates that an authority signs are those of servers: `pathLenConstraint` is 0. */
export const basicConstraints = (of: 'authority' | 'server'): Buffer =>
  of === 'authority'
    ? extension('2.5.29.19', sequence(truth, unsigned(Buffer.from([0]))), true)
    : extension('2.5.29.19', sequence())

/** 4.2.1.3: the bits 5 and 6 (keyCertSign, cRLSign), or 0 (digitalSignature), after the number of unused bits. */
export const keyUsage = (of: 'authority' | 'server'): Buffer =>
  extension('2.5.29.15', der(0x03, Buffer.from(of === 'authority' ? [1, 0x06] : [7, 0x80])), true)

/** 4.2.1.12: id-kp-serverAuth. */
export const serverAuthentication = (): Buffer =>
  extension('2.5.29.37', sequence(objectIdentifier('1.3.6.1.5.5.7.3.1')))

/** 4.2.1.6: `addresses` are bytes of IP addresses, 4 or 16 each. */
export const alternativeNames = (names: readonly string[], addresses: readonly Uint8Array[] = []): Buffer =>
  extension(
    '2.5.29.17',
    sequence(
      ...names.map((name) => der(0x82, Buffer.from(name))),
      ...addresses.map((address) => der(0x87, Buffer.from(address))),
    ),
  )

/** 4.2.1.2. */
export const subjectKeyIdentifier = (id: Buffer): Buffer => extension('2.5.29.14', octetString(id))

/** 4.2.1.1: the identifier of the issuer's key. */
export const authorityKeyIdentifier = (id: Buffer): Buffer => extension('2.5.29.35', sequence(der(0x80, id)))

const pem = (bytes: Buffer): string =>
  `-----BEGIN CERTIFICATE-----\n${bytes.toString('base64').replace(/.{64}/g, '$&\n').trimEnd()}\n-----END CERTIFICATE-----\n`
