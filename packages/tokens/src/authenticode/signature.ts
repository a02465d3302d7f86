// The signature of a program: PKCS #7 SignedData over its digest (Windows Authenticode Portable Executable Signature Format).
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
  unsigned,
} from '@rookery/kernel/der.ts'
import type { Chain } from './certificates.ts'

const SIGNED_DATA = '1.2.840.113549.1.7.2'
const CONTENT_TYPE = '1.2.840.113549.1.9.3'
const MESSAGE_DIGEST = '1.2.840.113549.1.9.4'
const INDIRECT_DATA = '1.3.6.1.4.1.311.2.1.4'
const OPUS_INFO = '1.3.6.1.4.1.311.2.1.12'
const PE_IMAGE_DATA = '1.3.6.1.4.1.311.2.1.15'
const SHA256 = sequence(objectIdentifier('2.16.840.1.101.3.4.2.1'), nothing)
const RSA = sequence(objectIdentifier('1.2.840.113549.1.1.1'), nothing)
const VERSION = unsigned(Buffer.of(1))

/** Flags without a bit, and a file that signers name so since page hashes came. */
const IMAGE_DATA = sequence(
  objectIdentifier(PE_IMAGE_DATA),
  sequence(
    bitString(Buffer.alloc(0)),
    explicit(0, explicit(2, der(0x80, Buffer.from('<<<Obsolete>>>', 'utf16le').swap16()))),
  ),
)

export function signatureOf(digest: Buffer, key: KeyObject, chain: Chain): Buffer {
  const indirect = [IMAGE_DATA, sequence(SHA256, octetString(digest))]
  // Over the content of the sequence, without its tag and length.
  const messageDigest = createHash('sha256').update(Buffer.concat(indirect)).digest()
  const attributes = sorted([
    attribute(CONTENT_TYPE, objectIdentifier(INDIRECT_DATA)),
    attribute(OPUS_INFO, sequence()),
    attribute(MESSAGE_DIGEST, octetString(messageDigest)),
  ])
  const signerInfo = sequence(
    VERSION,
    sequence(chain.issuer, chain.serial),
    SHA256,
    explicit(0, ...attributes),
    RSA,
    // They are signed as a SET, whatever their tag (RFC 2315, 9.3).
    octetString(sign('sha256', set(...attributes), key)),
  )
  return sequence(
    objectIdentifier(SIGNED_DATA),
    explicit(
      0,
      sequence(
        VERSION,
        set(SHA256),
        sequence(objectIdentifier(INDIRECT_DATA), explicit(0, sequence(...indirect))),
        explicit(0, ...sorted([chain.signer, chain.authority])),
        set(signerInfo),
      ),
    ),
  )
}

const attribute = (type: string, value: Buffer): Buffer => sequence(objectIdentifier(type), set(value))

/** DER orders a SET OF by the bytes of its elements (X.690, 11.6). */
const sorted = (elements: readonly Buffer[]): Buffer[] => [...elements].sort((a, b) => a.compare(b))
