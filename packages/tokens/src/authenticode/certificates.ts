// An authority of its own and a certificate for signing code, whose revocation and whose issuer are looked up (RFC 5280).
import { createHash, sign, type KeyObject } from 'node:crypto'
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
  unsigned,
  utf8String,
} from '@rookery/kernel/der.ts'

export interface KeyPair {
  readonly publicKey: KeyObject
  readonly privateKey: KeyObject
}

export interface ChainSubject {
  /** Organisation of both certificates, and the name of the signing one. */
  readonly publisher: string
  /** Of the signing certificate, in milliseconds. */
  readonly notBefore: number
  /** 16 bytes each; neither needs to be secret. */
  readonly serials: { readonly authority: Buffer; readonly signer: Buffer }
  /** Addresses in the signing certificate. */
  readonly urls: { readonly crl: string; readonly issuer: string; readonly ocsp: string }
}

export interface Chain {
  readonly authority: Buffer
  readonly signer: Buffer
  /** What names the signing certificate in a signature. */
  readonly issuer: Buffer
  readonly serial: Buffer
}

/** RSA keys sign without chance, so that the same keys make the same chain. */
export function makeChain(keys: { authority: KeyPair; signer: KeyPair }, subject: ChainSubject): Chain {
  const { publisher, notBefore, serials, urls } = subject
  const issuer = name(publisher, `${publisher} Code Signing CA`)
  const authorityKeyId = keyId(keys.authority.publicKey)
  const serial = unsigned(serialNumber(serials.signer))
  const authority = signed(keys.authority.privateKey, {
    serial: unsigned(serialNumber(serials.authority)),
    issuer,
    subject: issuer,
    from: notBefore - 2 * YEAR_MS,
    years: 20,
    publicKey: keys.authority.publicKey,
    extensions: [
      critical(BASIC_CONSTRAINTS, sequence(TRUE)),
      critical(KEY_USAGE, KEY_CERT_AND_CRL_SIGN),
      extension(SUBJECT_KEY_ID, octetString(authorityKeyId)),
    ],
  })
  const signer = signed(keys.authority.privateKey, {
    serial,
    issuer,
    subject: name(publisher, publisher),
    from: notBefore,
    years: 10,
    publicKey: keys.signer.publicKey,
    extensions: [
      critical(BASIC_CONSTRAINTS, sequence()),
      critical(KEY_USAGE, DIGITAL_SIGNATURE),
      extension(EXTENDED_KEY_USAGE, sequence(objectIdentifier(CODE_SIGNING))),
      extension(SUBJECT_KEY_ID, octetString(keyId(keys.signer.publicKey))),
      extension(AUTHORITY_KEY_ID, sequence(der(0x80, authorityKeyId))),
      extension(CRL_POINTS, sequence(sequence(explicit(0, explicit(0, uri(urls.crl)))))),
      extension(
        AUTHORITY_ACCESS,
        sequence(
          sequence(objectIdentifier(OCSP), uri(urls.ocsp)),
          sequence(objectIdentifier(CA_ISSUERS), uri(urls.issuer)),
        ),
      ),
    ],
  })
  return { authority, signer, issuer, serial }
}

const YEAR_MS = 365 * 86_400_000
const SHA256_WITH_RSA = sequence(objectIdentifier('1.2.840.113549.1.1.11'), nothing)
const BASIC_CONSTRAINTS = '2.5.29.19'
const KEY_USAGE = '2.5.29.15'
const EXTENDED_KEY_USAGE = '2.5.29.37'
const SUBJECT_KEY_ID = '2.5.29.14'
const AUTHORITY_KEY_ID = '2.5.29.35'
const CRL_POINTS = '2.5.29.31'
const AUTHORITY_ACCESS = '1.3.6.1.5.5.7.1.1'
const OCSP = '1.3.6.1.5.5.7.48.1'
const CA_ISSUERS = '1.3.6.1.5.5.7.48.2'
const CODE_SIGNING = '1.3.6.1.5.5.7.3.3'
const TRUE = der(0x01, Buffer.of(0xff))
/** The first byte says how many bits of the last one do not count (RFC 5280, 4.2.1.3). */
const DIGITAL_SIGNATURE = der(0x03, Buffer.of(7, 0x80))
const KEY_CERT_AND_CRL_SIGN = der(0x03, Buffer.of(1, 0x06))

interface ToBeSigned {
  readonly serial: Buffer
  readonly issuer: Buffer
  readonly subject: Buffer
  readonly from: number
  readonly years: number
  readonly publicKey: KeyObject
  readonly extensions: readonly Buffer[]
}

function signed(key: KeyObject, it: ToBeSigned): Buffer {
  const toBeSigned = sequence(
    explicit(0, unsigned(Buffer.of(2))),
    it.serial,
    SHA256_WITH_RSA,
    it.issuer,
    sequence(time(it.from), time(it.from + it.years * YEAR_MS)),
    it.subject,
    it.publicKey.export({ type: 'spki', format: 'der' }),
    explicit(3, sequence(...it.extensions)),
  )
  return sequence(toBeSigned, SHA256_WITH_RSA, bitString(sign('sha256', toBeSigned, key)))
}

const name = (organisation: string, commonName: string): Buffer =>
  sequence(
    set(sequence(objectIdentifier('2.5.4.10'), utf8String(organisation))),
    set(sequence(objectIdentifier('2.5.4.3'), utf8String(commonName))),
  )

/** Positive, and of its full length. */
function serialNumber(bytes: Buffer): Buffer {
  const serial = Buffer.from(bytes)
  serial[0] = (serial[0]! & 0x7f) | 0x40
  return serial
}

/** SHA-1 over the bits of the key, without the header of the algorithm (RFC 5280, 4.2.1.2). */
function keyId(publicKey: KeyObject): Buffer {
  const bits = publicKey.export({ type: 'pkcs1', format: 'der' })
  return createHash('sha1').update(bits).digest()
}

const extension = (id: string, value: Buffer): Buffer => sequence(objectIdentifier(id), octetString(value))
const critical = (id: string, value: Buffer): Buffer =>
  sequence(objectIdentifier(id), TRUE, octetString(value))
/** A GeneralName of the kind uniformResourceIdentifier. */
const uri = (url: string): Buffer => der(0x86, Buffer.from(url, 'latin1'))
