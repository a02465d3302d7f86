// An authority of its own and a certificate for signing code, whose revocation and whose issuer are looked up (RFC 5280).
import { createHash, sign, type KeyObject } from 'node:crypto'
import { der, explicit, objectIdentifier, sequence, unsigned } from '@rookery/kernel/der.ts'
import {
  authorityConstraints,
  authorityKeyIdentifier,
  distinguishedName,
  endEntityConstraints,
  extendedKeyUsage,
  extension,
  keyUsage,
  signCertificate,
  subjectKeyIdentifier,
  type CertificateSigner,
} from '@rookery/kernel/x509-certificate.ts'

export interface KeyPair {
  readonly publicKey: KeyObject
  readonly privateKey: KeyObject
}

export interface Validity {
  /** In milliseconds. */
  readonly notBefore: number
  readonly years: number
}

export interface ChainSubject {
  /** Organisation of both certificates, and the name of the signing one. */
  readonly publisher: string
  readonly validity: { readonly authority: Validity; readonly signer: Validity }
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
  const { publisher, validity, serials, urls } = subject
  const issuer = distinguishedName(`${publisher} Code Signing CA`, publisher)
  const authorityKeyId = keyId(keys.authority.publicKey)
  const serial = serialNumber(serials.signer)
  const signs = signerOf(keys.authority.privateKey)
  const authority = signCertificate(
    {
      serial: serialNumber(serials.authority),
      issuer,
      subject: issuer,
      ...moments(validity.authority),
      publicKey: spkiOf(keys.authority.publicKey),
      extensions: [authorityConstraints(), keyUsage('certificates'), subjectKeyIdentifier(authorityKeyId)],
    },
    signs,
  )
  const signer = signCertificate(
    {
      serial,
      issuer,
      subject: distinguishedName(publisher, publisher),
      ...moments(validity.signer),
      publicKey: spkiOf(keys.signer.publicKey),
      extensions: [
        endEntityConstraints(true),
        keyUsage('signatures'),
        extendedKeyUsage('code'),
        subjectKeyIdentifier(keyId(keys.signer.publicKey)),
        authorityKeyIdentifier(authorityKeyId),
        extension(CRL_POINTS, sequence(sequence(explicit(0, explicit(0, uri(urls.crl)))))),
        extension(
          AUTHORITY_ACCESS,
          sequence(
            sequence(objectIdentifier(OCSP), uri(urls.ocsp)),
            sequence(objectIdentifier(CA_ISSUERS), uri(urls.issuer)),
          ),
        ),
      ],
    },
    signs,
  )
  return { authority, signer, issuer, serial: unsigned(serial) }
}

const YEAR_MS = 365 * 86_400_000
const CRL_POINTS = '2.5.29.31'
const AUTHORITY_ACCESS = '1.3.6.1.5.5.7.1.1'
const OCSP = '1.3.6.1.5.5.7.48.1'
const CA_ISSUERS = '1.3.6.1.5.5.7.48.2'

const moments = ({ notBefore, years }: Validity) => ({
  notBefore,
  notAfter: notBefore + years * YEAR_MS,
})

const signerOf = (key: KeyObject): CertificateSigner => ({
  keyType: 'rsa',
  sign: (body) => sign('sha256', body, key),
})

const spkiOf = (publicKey: KeyObject): Buffer => publicKey.export({ type: 'spki', format: 'der' })

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

/** A GeneralName of the kind uniformResourceIdentifier. */
const uri = (url: string): Buffer => der(0x86, Buffer.from(url, 'latin1'))
