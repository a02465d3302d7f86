// The encryption of a PDF that opens without a password (ISO 32000-2, 7.6): with permissions alone, it keeps nobody from reading.
import { createCipheriv, createDecipheriv, createHash } from 'node:crypto'
import { UnusableFile } from '@rookery/kernel/unusable-file.ts'
import { rc4 } from './rc4.ts'
import {
  asInteger,
  asName,
  BrokenPdf,
  entriesOf,
  stringBytes,
  type PdfDictionary,
  type PdfText,
} from './syntax.ts'

type Cipher = 'none' | 'rc4' | 'aes-128' | 'aes-256'

export interface PdfCipher {
  readonly decryptStream: (number: number, generation: number, bytes: Buffer) => Buffer
  readonly encryptStream: (number: number, generation: number, bytes: Buffer) => Buffer
  readonly encryptString: (number: number, generation: number, bytes: Buffer) => Buffer
}

const sha = (bits: 256 | 384 | 512, ...parts: Uint8Array[]): Buffer =>
  createHash(`sha${bits}`).update(Buffer.concat(parts)).digest()
const md5 = (...parts: Uint8Array[]): Buffer => createHash('md5').update(Buffer.concat(parts)).digest()

/** What stands for an empty password (algorithm 2, step a). */
const PADDING = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex')

/** Throws `UnusableFile` where the empty password opens nothing. `dictionary` is that of the trailer's `Encrypt`, its values resolved. */
export function openCipher(dictionary: PdfDictionary, documentId: Buffer): PdfCipher {
  const version = asInteger(dictionary.get('V')) ?? 0
  const isStandard = asName(dictionary.get('Filter')) === 'Standard'
  if (!isStandard || ![1, 2, 4, 5].includes(version))
    throw new UnusableFile('must be a PDF that opens without a certificate: print it into a new PDF first')
  const key = version === 5 ? keyOfAes256(dictionary) : keyOfEmptyPassword(dictionary, documentId, version)
  const ofStreams = cipherOf(dictionary, version, 'StmF')
  const ofStrings = cipherOf(dictionary, version, 'StrF')
  return {
    decryptStream: (...at) => decrypted(ofStreams, key, ...at),
    encryptStream: (...at) => encrypted(ofStreams, key, ...at),
    encryptString: (...at) => encrypted(ofStrings, key, ...at),
  }
}

const METHODS: ReadonlyMap<string | undefined, Cipher> = new Map([
  ['V2', 'rc4'],
  ['AESV2', 'aes-128'],
  ['AESV3', 'aes-256'],
])

function cipherOf(dictionary: PdfDictionary, version: number, name: 'StmF' | 'StrF'): Cipher {
  if (version < 4) return 'rc4'
  const filters = dictionary.get('CF')
  const filter = filters && entriesOf(filters).get(asName(dictionary.get(name)) ?? 'Identity')
  return (filter && METHODS.get(asName(entriesOf(filter).get('CFM')))) ?? 'none'
}

const bytesOf = (text: PdfText | undefined, length: number): Buffer =>
  (text ? stringBytes(text) : Buffer.alloc(0)).subarray(0, length)

const needsPassword = (): UnusableFile =>
  new UnusableFile(
    'must be a PDF that opens without a password: remove it with qpdf --password=… --decrypt in.pdf out.pdf',
  )

/** Algorithms 2, 4 and 5. */
function keyOfEmptyPassword(dictionary: PdfDictionary, documentId: Buffer, version: number): Buffer {
  const revision = asInteger(dictionary.get('R')) ?? 2
  const bits = version === 1 ? 40 : (asInteger(dictionary.get('Length')) ?? 40)
  // Some programs write bytes instead of bits. The filters of version 4 have keys of 128 bits.
  const length = version === 4 ? 16 : Math.min(16, Math.max(5, bits < 40 ? bits : bits >> 3))
  const permissions = Buffer.alloc(4)
  permissions.writeInt32LE((asInteger(dictionary.get('P')) ?? 0) | 0)
  const hidesMetadata = String(dictionary.get('EncryptMetadata')) !== 'false'
  const suffix = revision >= 4 && !hidesMetadata ? Buffer.alloc(4, 0xff) : Buffer.alloc(0)
  let key = md5(PADDING, bytesOf(dictionary.get('O'), 32), permissions, documentId, suffix).subarray(
    0,
    length,
  )
  if (revision >= 3) for (let n = 0; n < 50; n++) key = md5(key).subarray(0, length)
  let expected = revision >= 3 ? md5(PADDING, documentId) : PADDING
  for (let n = 0; n < (revision >= 3 ? 20 : 1); n++)
    expected = rc4(
      key.map((byte) => byte ^ n),
      expected,
    )
  const checked = expected.subarray(0, revision >= 3 ? 16 : 32)
  if (!bytesOf(dictionary.get('U'), checked.length).equals(checked)) throw needsPassword()
  return key
}

/** Algorithms 2.A and 11. */
function keyOfAes256(dictionary: PdfDictionary): Buffer {
  const isHardened = (asInteger(dictionary.get('R')) ?? 0) >= 6
  const hash = (salt: Buffer): Buffer => (isHardened ? hardenedHash(salt) : sha(256, salt))
  const user = bytesOf(dictionary.get('U'), 48)
  const sealed = bytesOf(dictionary.get('UE'), 32)
  if (sealed.length < 32) throw new BrokenPdf('a key is missing')
  if (user.length < 48 || !hash(user.subarray(32, 40)).equals(user.subarray(0, 32))) throw needsPassword()
  const decipher = createDecipheriv(
    'aes-256-cbc',
    hash(user.subarray(40, 48)),
    Buffer.alloc(16),
  ).setAutoPadding(false)
  return decipher.update(sealed)
}

/** Algorithm 2.B, for the empty password. */
function hardenedHash(salt: Buffer): Buffer {
  let key = sha(256, salt)
  for (let round = 0, last = 0; round < 64 || last > round - 32; round++) {
    const repeated = Buffer.concat(Array.from({ length: 64 }, () => key))
    const cipher = createCipheriv('aes-128-cbc', key.subarray(0, 16), key.subarray(16, 32)).setAutoPadding(
      false,
    )
    const encoded = cipher.update(repeated)
    const remainder = encoded.subarray(0, 16).reduce((sum, byte) => sum + byte, 0) % 3
    key = sha(([256, 384, 512] as const)[remainder] ?? 256, encoded)
    last = encoded.at(-1) ?? 0
  }
  return key.subarray(0, 32)
}

/** Algorithm 1: each object has a key of its own; those of AES-256 share the document's. */
function keyOf(cipher: Cipher, key: Buffer, number: number, generation: number): Buffer {
  if (cipher === 'aes-256') return key
  const place = Buffer.alloc(5)
  place.writeUIntLE(number & 0xffffff, 0, 3)
  place.writeUInt16LE(generation & 0xffff, 3)
  const salt = Buffer.from(cipher === 'aes-128' ? 'sAlT' : '')
  return md5(key, place, salt).subarray(0, Math.min(16, key.length + 5))
}

function decrypted(cipher: Cipher, key: Buffer, number: number, generation: number, bytes: Buffer): Buffer {
  if (cipher === 'none') return bytes
  const own = keyOf(cipher, key, number, generation)
  if (cipher === 'rc4') return rc4(own, bytes)
  const whole = bytes.subarray(16, bytes.length - (bytes.length % 16))
  const decipher = createDecipheriv(`${cipher}-cbc`, own, padTo16(bytes.subarray(0, 16))).setAutoPadding(
    false,
  )
  const plain = decipher.update(whole)
  const padding = plain.at(-1) ?? 0
  return padding >= 1 && padding <= 16 ? plain.subarray(0, plain.length - padding) : plain
}

const padTo16 = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.alloc(16 - bytes.length)])

/** The first block is of the bytes and the key, so that the same document is made each time. */
function encrypted(cipher: Cipher, key: Buffer, number: number, generation: number, bytes: Buffer): Buffer {
  if (cipher === 'none') return bytes
  const own = keyOf(cipher, key, number, generation)
  if (cipher === 'rc4') return rc4(own, bytes)
  const first = md5(own, bytes)
  const made = createCipheriv(`${cipher}-cbc`, own, first)
  return Buffer.concat([first, made.update(bytes), made.final()])
}
