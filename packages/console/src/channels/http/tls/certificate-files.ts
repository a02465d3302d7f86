// The certificates that the operator gives: PEM files, each with its key. What is wrong is said with its option and its file.
import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { Fault } from '@rookery/kernel/fault.ts'
import type { Config } from '../../../config/config.ts'
import { contextOf, holderOf, type ServerCertificate } from './server-certificate.ts'

/** Whose certificates they are, and the options that name their files. */
export interface CertificateHost {
  readonly host: string
  readonly certificates: 'ROOKERY_TOKENS_TLS_CERT' | 'ROOKERY_TLS_CERT'
  readonly keys: 'ROOKERY_TOKENS_TLS_KEY' | 'ROOKERY_TLS_KEY'
}

export const TOKEN_HOST: CertificateHost = {
  host: 'the token host',
  certificates: 'ROOKERY_TOKENS_TLS_CERT',
  keys: 'ROOKERY_TOKENS_TLS_KEY',
}

export const CONSOLE_HOST: CertificateHost = {
  host: 'the console',
  certificates: 'ROOKERY_TLS_CERT',
  keys: 'ROOKERY_TLS_KEY',
}

/** Paths. */
export interface CertificateFiles {
  readonly certificate: string
  readonly key: string
  readonly of: CertificateHost
}

const PEM_CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g
/** Far more than a chain needs. */
const MAX_BYTES = 1_048_576

/** The files of both options, in pairs; none where neither is set. A `bad-input` where a certificate is without its key. */
export function certificateFiles(
  config: Pick<Config, CertificateHost['certificates' | 'keys']>,
  of: CertificateHost,
): CertificateFiles[] {
  const certificates = pathsIn(config[of.certificates])
  const keys = pathsIn(config[of.keys])
  if (certificates.length !== keys.length)
    throw new Fault(
      'bad-input',
      `${of.certificates} names ${count(certificates)}, and ${of.keys} ${count(keys)}: name the key of each certificate, in the same order.`,
    )
  return certificates.map((certificate, index) => ({ certificate, key: keys[index] ?? '', of }))
}

const pathsIn = (text: string): string[] => (text === '' ? [] : text.split(',').map((path) => path.trim()))

const count = ({ length }: readonly string[]): string =>
  length === 0 ? 'none' : `${length} ${length === 1 ? 'file' : 'files'}`

/** Throws a `bad-input` for files that cannot be read or do not belong together. An expired certificate is no error. */
export function readCertificate(files: CertificateFiles): ServerCertificate {
  const { certificates, keys, host } = files.of
  const chain = readPem(certificates, files.certificate).match(PEM_CERTIFICATE) ?? []
  const [x509, ...issuers] = chain.map((pem) => parsed(pem, files))
  if (!x509)
    throw wrong(
      certificates,
      files.certificate,
      `holds no certificate in PEM; it must hold that of ${host}, and behind it those of the authorities in between`,
    )
  const keyPem = readPem(keys, files.key)
  checkKey(files, privateKey(keyPem, files), x509, issuers)
  const certificate = {
    chain: chain.join('\n') + '\n',
    key: keyPem,
    x509,
    issuers,
    origin: files.certificate,
    renewal: 'renew it',
  }
  try {
    contextOf(certificate)
  } catch (cause) {
    throw wrong(certificates, files.certificate, `cannot be used: ${(cause as Error).message}`, cause)
  }
  return certificate
}

/** Whether others than its owner may read the key; its mode in octal digits then. */
export function exposedMode({ key }: Pick<CertificateFiles, 'key'>): string | undefined {
  const mode = (statSync(key, { throwIfNoEntry: false })?.mode ?? 0) & 0o777
  return (mode & 0o007) === 0 ? undefined : mode.toString(8)
}

function readPem(option: string, path: string): string {
  try {
    const { size } = statSync(path)
    if (size > MAX_BYTES) throw new Error(`it has ${size} bytes; a PEM file has at most ${MAX_BYTES}`)
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw wrong(option, path, `cannot be read: ${(cause as Error).message}`, cause)
  }
}

function parsed(pem: string, { certificate, of }: CertificateFiles): X509Certificate {
  try {
    return new X509Certificate(pem)
  } catch (cause) {
    const why = (cause as Error).message
    throw wrong(of.certificates, certificate, `holds a certificate that is broken: ${why}`, cause)
  }
}

function privateKey(pem: string, { key, of }: CertificateFiles): KeyObject {
  try {
    return createPrivateKey(pem)
  } catch (cause) {
    const why = (cause as Error).message
    throw wrong(
      of.keys,
      key,
      `holds no private key that can be read (${why}); it must be PEM, and without a passphrase`,
      cause,
    )
  }
}

function checkKey(
  files: CertificateFiles,
  key: KeyObject,
  x509: X509Certificate,
  others: readonly X509Certificate[],
): void {
  if (x509.checkPrivateKey(key)) return
  const own = others.find((other) => other.checkPrivateKey(key))
  throw own
    ? wrong(
        files.of.certificates,
        files.certificate,
        `begins with the certificate of ${holderOf(x509)}; that of the server, ${holderOf(own)}, must come first`,
      )
    : wrong(
        files.of.keys,
        files.key,
        `is not the key of the certificate in ${files.certificate}, which is that of ${holderOf(x509)}`,
      )
}

const wrong = (option: string, path: string, what: string, cause?: unknown): Fault =>
  new Fault('bad-input', `${option}: ${path} ${what}.`, { cause })
