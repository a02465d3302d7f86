// The certificate that is stored of the zone: whether it can be served, when the next one is due, and what is wrong with it.
import { Fault } from '@rookery/kernel/fault.ts'
import { std } from '@rookery/kernel/time.ts'
import type { Query } from '../../db/query.ts'
import type { Vault } from '../../secrets/vault.ts'
import { certificateKeyPlace, findCertificate, type CertificateRow } from '../../stores/certificates/store.ts'
import type { ServerCertificate } from '../http/tls/server-certificate.ts'
import type { AcmeOptions } from './acme-options.ts'
import { readIssued } from './issued-certificate.ts'
import { renewalAt, soonMs } from './renewal-times.ts'

export interface StoredCertificate {
  readonly row: CertificateRow
  /** Undefined while there is none that can be served. */
  readonly certificate: ServerCertificate | undefined
  /** Why the stored one cannot be served. */
  readonly damage: string | undefined
}

export async function readStored(
  db: Query,
  vault: Pick<Vault, 'open'>,
  domain: string,
): Promise<StoredCertificate> {
  const row = (await findCertificate(db, domain)) ?? noCertificate(domain)
  if (row.chain === '') return { row, certificate: undefined, damage: undefined }
  try {
    const key = vault.open(row.sealed_key, certificateKeyPlace(domain))
    const certificate = readIssued({ chain: row.chain, key }, domain, row.directory)
    return { row, certificate, damage: undefined }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return { row, certificate: undefined, damage: error.message }
  }
}

export const noCertificate = (domain: string): CertificateRow => ({
  domain,
  chain: '',
  sealed_key: '',
  directory: '',
  failures: 0,
  failed_at: 0,
  reason: '',
  retry_at: 0,
  tried: '',
})

/** When the next order begins: at once where another directory is named than the one that gave the certificate. */
export function dueAt(
  { row, certificate }: StoredCertificate,
  { directoryUrl }: Pick<AcmeOptions, 'directoryUrl'>,
): number {
  const wantedAt = certificate && row.directory === directoryUrl ? renewalAt(certificate.x509) : 0
  return row.failures > 0 && row.tried === directoryUrl ? Math.max(wantedAt, row.retry_at) : wantedAt
}

/** How the last orders went; undefined where nothing failed since the last one that succeeded. */
export function failureText({ row }: StoredCertificate): string | undefined {
  const { failures, failed_at, reason, retry_at, tried } = row
  if (failures === 0) return undefined
  const times = failures === 1 ? 'The last order' : `The last ${failures} orders`
  return `${times} of a certificate from ${new URL(tried).host} failed, on ${std(failed_at)}: ${reason} The next one begins on ${std(retry_at)}.`
}

/** Why clients refuse what is served in its place, or soon will. */
export function problemOf(
  stored: StoredCertificate,
  { domain }: AcmeOptions,
  now: number,
): string | undefined {
  const { certificate, damage } = stored
  const failure = failureText(stored) ?? 'It is being ordered.'
  if (!certificate)
    return `There is no certificate by ACME for ${domain} and *.${domain}${damage === undefined ? '' : `: ${damage}`}. ${failure}`.replace(
      '..',
      '.',
    )
  const { x509 } = certificate
  return now >= x509.validToDate.getTime() - soonMs(x509) ? failureText(stored) : undefined
}
