// Writes X.509 certificates (RFC 5280) and requests for them (RFC 2986): Node.js reads them, but makes none.
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
  /** Each made by `distinguishedName`. */
  readonly issuer: Buffer
  readonly subject: Buffer
  /** Milliseconds UTC. */
  readonly notBefore: number
  readonly notAfter: number
  /** SubjectPublicKeyInfo, DER. */
  readonly publicKey: Uint8Array
  /** Each made by a function of this file; a certificate may have none. */
  readonly extensions: readonly Buffer[]
}

export interface CertificateSigner {
  /** RSA (PKCS #1, 1.5) or ECDSA, with SHA-256; RSA as old programs sign, with SHA-1. */
  readonly keyType: 'rsa' | 'rsa-sha1' | 'ec'
  readonly sign: (body: Buffer) => Buffer
}

/** The signed certificate, in DER. */
export function signCertificate(fields: CertificateFields, { keyType, sign }: CertificateSigner): Buffer {
  const algorithm = ALGORITHMS[keyType]
  const body = toBeSigned(fields, algorithm)
  return sequence(body, algorithm, bitString(sign(body)))
}

/** What a certificate is asked for. */
export type RequestFields = Pick<CertificateFields, 'subject' | 'publicKey' | 'extensions'>

const EXTENSION_REQUEST = '1.2.840.113549.1.9.14'

/** CertificationRequest (RFC 2986, 4), signed with the key that is to be certified, in DER. */
export function signRequest(
  { subject, publicKey, extensions }: RequestFields,
  { keyType, sign }: CertificateSigner,
): Buffer {
  const wanted = sequence(objectIdentifier(EXTENSION_REQUEST), set(sequence(...extensions)))
  const body = sequence(unsigned(Buffer.of(0)), subject, Buffer.from(publicKey), explicit(0, wanted))
  return sequence(body, ALGORITHMS[keyType], bitString(sign(body)))
}

const ALGORITHMS: Readonly<Record<CertificateSigner['keyType'], Buffer>> = {
  rsa: sequence(objectIdentifier('1.2.840.113549.1.1.11'), nothing),
  'rsa-sha1': sequence(objectIdentifier('1.2.840.113549.1.1.5'), nothing),
  ec: sequence(objectIdentifier('1.2.840.10045.4.3.2')),
}

/** TBSCertificate, version 3 (4.1). */
const toBeSigned = (fields: CertificateFields, algorithm: Buffer): Buffer =>
  sequence(
    explicit(0, unsigned(Buffer.from([2]))),
    unsigned(Buffer.from(fields.serial)),
    algorithm,
    fields.issuer,
    sequence(time(fields.notBefore), time(fields.notAfter)),
    fields.subject,
    Buffer.from(fields.publicKey),
    ...(fields.extensions.length > 0 ? [explicit(3, sequence(...fields.extensions))] : []),
  )

const ATTRIBUTES = { commonName: '2.5.4.3', country: '2.5.4.6', organization: '2.5.4.10' } as const

/** Name (4.1.2.4); each value is a string in DER. */
export const nameOf = (
  ...attributes: readonly (readonly [type: keyof typeof ATTRIBUTES, value: Buffer])[]
): Buffer =>
  sequence(...attributes.map(([type, value]) => set(sequence(objectIdentifier(ATTRIBUTES[type]), value))))

/** A Name of UTF-8 strings. */
export const distinguishedName = (commonName: string, organization?: string): Buffer =>
  nameOf(...(organization === undefined ? [] : [['organization', utf8String(organization)] as const]), [
    'commonName',
    utf8String(commonName),
  ])

/** `value` is the content in DER. */
export const extension = (id: string, value: Buffer, isCritical = false): Buffer =>
  sequence(objectIdentifier(id), ...(isCritical ? [truth] : []), octetString(value))

const BASIC_CONSTRAINTS = '2.5.29.19'

/** 4.2.1.9: `pathLength` is how many authorities may stand below it. */
export const authorityConstraints = (pathLength?: number): Buffer =>
  extension(
    BASIC_CONSTRAINTS,
    sequence(truth, ...(pathLength === undefined ? [] : [unsigned(Buffer.of(pathLength))])),
    true,
  )

/** The same for who certifies nobody. */
export const endEntityConstraints = (isCritical = false): Buffer =>
  extension(BASIC_CONSTRAINTS, sequence(), isCritical)

/**
 * 4.2.1.3: the number of unused bits, and the bits 5 and 6 (keyCertSign, cRLSign), 0 (digitalSignature), or 0 and 2
 * (keyEncipherment).
 */
const USAGES = { certificates: [1, 0x06], signatures: [7, 0x80], 'signatures and keys': [5, 0xa0] } as const

/** What the key signs, and whether it encrypts other keys. */
export const keyUsage = (use: keyof typeof USAGES): Buffer =>
  extension('2.5.29.15', der(0x03, Buffer.from(USAGES[use])), true)

/** 4.2.1.12: id-kp-serverAuth, id-kp-clientAuth and id-kp-codeSigning. */
const PURPOSES = {
  server: '1.3.6.1.5.5.7.3.1',
  client: '1.3.6.1.5.5.7.3.2',
  code: '1.3.6.1.5.5.7.3.3',
} as const

export const extendedKeyUsage = (...purposes: readonly (keyof typeof PURPOSES)[]): Buffer =>
  extension('2.5.29.37', sequence(...purposes.map((purpose) => objectIdentifier(PURPOSES[purpose]))))

/** A Name without attributes: the alternative names say whose certificate it is. */
export const noName = sequence()

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

/** A certificate in DER as PEM. */
export const certificatePem = (bytes: Buffer): string =>
  `-----BEGIN CERTIFICATE-----\n${bytes.toString('base64').replace(/.{64}/g, '$&\n').trimEnd()}\n-----END CERTIFICATE-----\n`
