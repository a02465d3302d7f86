// Certificates by ACME: the account, the certificate of a zone, and the texts that the DNS server answers meanwhile.
import type { Query, Tx } from '../../db/query.ts'
import type { Place } from '../../secrets/vault.ts'
import type { CertificateTables } from './tables.ts'

export type AccountRow = CertificateTables['acme_account']
export type CertificateRow = CertificateTables['acme_certificate']

/** Where private keys are sealed. */
export const accountKeyPlace = (directory: string): Place => ({
  table: 'acme_account',
  column: 'sealed_key',
  row: directory,
})
export const certificateKeyPlace = (domain: string): Place => ({
  table: 'acme_certificate',
  column: 'sealed_key',
  row: domain,
})

export const findAccount = (db: Query, directory: string): Promise<AccountRow | undefined> =>
  db.selectFrom('acme_account').selectAll().where('directory', '=', directory).executeTakeFirst()

export const storeAccount = (tx: Tx, row: AccountRow): Promise<void> =>
  tx.insertMany('acme_account', [row], { key: ['directory'], then: 'replace' })

export const removeAccount = (tx: Tx, directory: string): Promise<void> =>
  tx.deleteMany('acme_account', 'directory', [directory])

export const findCertificate = (db: Query, domain: string): Promise<CertificateRow | undefined> =>
  db.selectFrom('acme_certificate').selectAll().where('domain', '=', domain).executeTakeFirst()

/** Every console then reads it. */
export async function storeCertificate(tx: Tx, row: CertificateRow): Promise<void> {
  await tx.insertMany('acme_certificate', [row], { key: ['domain'], then: 'replace' })
  await tx.configChanged()
}

export async function readChallenges(db: Query): Promise<string[]> {
  const rows = await db.selectFrom('acme_challenge').select('value').orderBy('value').execute()
  return rows.map(({ value }) => value)
}

/** Every console's DNS server then answers these texts, and none whose time is over. */
export async function storeChallenges(
  tx: Tx,
  values: readonly string[],
  { now, expiresAt }: { readonly now: number; readonly expiresAt: number },
): Promise<void> {
  await tx.query.deleteFrom('acme_challenge').where('expires_at', '<', now).execute()
  const rows = values.map((value) => ({ value, expires_at: expiresAt }))
  await tx.insertMany('acme_challenge', rows, { key: ['value'], then: 'replace' })
  await tx.configChanged()
}

export async function removeChallenges(tx: Tx, values: readonly string[]): Promise<void> {
  await tx.deleteMany('acme_challenge', 'value', values)
  await tx.configChanged()
}
