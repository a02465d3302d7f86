// What an ACME server gave, as a certificate that can be served; it may have given anything.
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { Fault } from '@rookery/kernel/fault.ts'
import { contextOf, isFor, type ServerCertificate } from '../http/tls/server-certificate.ts'
import { printable } from './messages.ts'
import type { IssuedCertificate } from './order-certificate.ts'
import { soonMs } from './renewal-times.ts'

const PEM_CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g
/** As many as a chain has, and more. */
const MAX_CERTIFICATES = 16

/** Throws an `unavailable` that says why it cannot be served for the domain and the names below it. */
export function readIssued(
  { chain, key }: IssuedCertificate,
  domain: string,
  directoryUrl: string,
): ServerCertificate {
  const { host } = new URL(directoryUrl)
  const wrong = (what: string, cause?: unknown): Fault =>
    new Fault('unavailable', `${host} gave a certificate that ${what}.`, { cause })
  const texts = (chain.match(PEM_CERTIFICATE) ?? []).slice(0, MAX_CERTIFICATES)
  try {
    const [x509, ...issuers] = texts.map((text) => new X509Certificate(text))
    if (!x509) throw wrong('is not in PEM')
    if (!x509.checkPrivateKey(createPrivateKey(key))) throw wrong('is of another key')
    const certificate = {
      chain: `${texts.join('\n')}\n`,
      key,
      x509,
      issuers,
      soonMs: soonMs(x509),
      origin: host,
      renewal: 'its renewal is due, and `rookery doctor` says how the last order went',
    }
    if (!isFor(certificate, domain) || !isFor(certificate, `a.${domain}`))
      throw wrong(
        `is not for ${domain} and *.${domain}: ${printable(x509.subjectAltName ?? 'it has no names')}`,
      )
    contextOf(certificate)
    return certificate
  } catch (error) {
    throw error instanceof Fault
      ? error
      : wrong(`cannot be used: ${printable((error as Error).message)}`, error)
  }
}
