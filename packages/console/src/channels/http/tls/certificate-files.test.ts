import { createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  alternativeNames,
  certificatePem,
  distinguishedName,
  signCertificate,
} from '@rookery/kernel/x509-certificate.ts'
import { describe, expect, it } from 'vitest'
import { makeAuthority } from '../../../../test/certificates.ts'
import { ownFolder } from '../../../../test/own-folder.ts'
import { certificateFiles, exposedMode, readCertificate, TOKEN_HOST } from './certificate-files.ts'
import { timeProblems } from './server-certificate.ts'

const authority = makeAuthority()
const files = authority.issue(['files.example.com'])
const other = authority.issue(['other.example.com'])

const pemOf = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }).toString()

/** Signed by itself. */
const weakCertificate = (key: KeyObject): string => {
  const name = distinguishedName('weak')
  const fields = {
    serial: Buffer.from([1]),
    issuer: name,
    subject: name,
    notBefore: 0,
    notAfter: Date.now(),
    publicKey: createPublicKey(key).export({ type: 'spki', format: 'der' }),
    extensions: [alternativeNames(['weak.example.com'])],
  }
  return certificatePem(
    signCertificate(fields, { keyType: 'rsa', sign: (body) => sign('sha256', body, key) }),
  )
}

/** Writes both files; what reading them throws is said with `cert.pem` and `key.pem` in the place of their paths. */
function read(certificate: string | undefined, key: string | undefined) {
  const folder = ownFolder()
  const paths = { certificate: join(folder, 'cert.pem'), key: join(folder, 'key.pem'), of: TOKEN_HOST }
  if (certificate !== undefined) writeFileSync(paths.certificate, certificate)
  if (key !== undefined) writeFileSync(paths.key, key, { mode: 0o600 })
  try {
    return { certificate: readCertificate(paths), paths }
  } catch (error) {
    return (error as Error).message.replaceAll(`${folder}/`, '')
  }
}

describe('a certificate and its key', () => {
  it('are read with the certificates of the authorities in between, whatever stands around them', () => {
    const text = `Bag Attributes\n  friendlyName: files\n${files.cert}\nissuer=\n${authority.ca}`
    const result = read(text, files.key)
    expect(result).toMatchObject({
      certificate: {
        chain: files.cert + authority.ca,
        key: files.key,
        x509: { subject: 'CN=files.example.com' },
      },
    })
  })

  it('that cannot be used are refused with option, file, and what would be right', () => {
    const small = generateKeyPairSync('rsa', { modulusLength: 512 }).privateKey
    const sealed = generateKeyPairSync('ec', {
      namedCurve: 'P-256',
      privateKeyEncoding: { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'secret' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    }).privateKey
    const CERT = 'ROOKERY_TOKENS_TLS_CERT: cert.pem'
    const KEY = 'ROOKERY_TOKENS_TLS_KEY: key.pem'
    const broken = files.cert.replace(/\n[^-\n]{64}\n/, '\nAAAA\n')
    const wrong: [certificate: string | undefined, key: string | undefined, reason: string][] = [
      [undefined, files.key, `${CERT} cannot be read: ENOENT`],
      [files.cert, undefined, `${KEY} cannot be read: ENOENT`],
      ['', files.key, `${CERT} holds no certificate in PEM; it must hold that of the token host`],
      [files.key, files.key, `${CERT} holds no certificate in PEM`],
      [broken, files.key, `${CERT} holds a certificate that is broken`],
      ['x'.repeat(2_000_000), files.key, `${CERT} cannot be read: it has 2000000 bytes`],
      [files.cert, files.cert, `${KEY} holds no private key that can be read`],
      [files.cert, sealed, 'it must be PEM, and without a passphrase.'],
      [files.cert, other.key, `${KEY} is not the key of the certificate in `],
      [authority.ca + files.cert, files.key, `; that of the server, CN=files.example.com, must come first.`],
      [weakCertificate(small), pemOf(small), `${CERT} cannot be used: `],
      [files.cert, pemOf(small), `${KEY} is not the key of`],
    ]
    for (const [certificate, key, reason] of wrong) expect(read(certificate, key)).toContain(reason)
  })

  it('are served after their time, and what is wrong is said', () => {
    const DAY = 86_400_000
    const now = Date.now()
    const problemsOf = (notBefore: number, notAfter: number): string[] => {
      const { cert, key } = authority.issue(['files.example.com'], { notBefore, notAfter })
      const result = read(cert, key)
      if (typeof result === 'string') throw new Error(result)
      return timeProblems({ ...result.certificate, origin: 'cert.pem' }, now)
    }
    const begin = 'The certificate of CN=files.example.com in cert.pem'
    expect(problemsOf(now - DAY, now + 15 * DAY)).toEqual([])
    expect(problemsOf(now - DAY, now + 13 * DAY)).toEqual([expect.stringContaining(`${begin} expires on 20`)])
    expect(problemsOf(now - 2 * DAY, now - DAY)).toEqual([
      expect.stringMatching(`${begin} expired on \\d{4}-\\d\\d-\\d\\d, and clients refuse it: renew it.`),
    ])
    expect(problemsOf(now + DAY, now + 90 * DAY)).toEqual([
      expect.stringContaining(`${begin} is valid from 20`),
    ])
  })

  it('whose key everybody may read are said so', () => {
    const result = read(files.cert, files.key)
    if (typeof result === 'string') throw new Error(result)
    expect(exposedMode(result.paths)).toBeUndefined()
    chmodSync(result.paths.key, 0o640)
    expect(exposedMode(result.paths)).toBeUndefined()
    chmodSync(result.paths.key, 0o644)
    expect(exposedMode(result.paths)).toBe('644')
  })
})

describe('the files of the options', () => {
  const pair = (ROOKERY_TOKENS_TLS_CERT: string, ROOKERY_TOKENS_TLS_KEY: string) =>
    certificateFiles(
      { ROOKERY_TOKENS_TLS_CERT, ROOKERY_TOKENS_TLS_KEY, ROOKERY_TLS_CERT: '', ROOKERY_TLS_KEY: '' },
      TOKEN_HOST,
    )

  it('are pairs, in order', () => {
    expect(pair('', '')).toEqual([])
    expect(pair('/a.pem, /b.pem', '/a.key,/b.key')).toEqual([
      { certificate: '/a.pem', key: '/a.key', of: TOKEN_HOST },
      { certificate: '/b.pem', key: '/b.key', of: TOKEN_HOST },
    ])
  })

  it('are refused where a certificate has no key', () => {
    expect(() => pair('/a.pem', '')).toThrow(
      'ROOKERY_TOKENS_TLS_CERT names 1 file, and ROOKERY_TOKENS_TLS_KEY none: name the key of each certificate, in the same order.',
    )
    expect(() => pair('/a.pem,/b.pem', '/a.key')).toThrow('names 2 files, and ROOKERY_TOKENS_TLS_KEY 1 file:')
  })
})
