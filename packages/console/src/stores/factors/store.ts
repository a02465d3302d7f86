// Second factors of people: authenticator apps, recovery codes, passkeys. What counts once is taken by a statement with a
// condition, so that it counts once for two consoles, too.
import { hash } from 'node:crypto'
import type { Query, Tx } from '../../db/query.ts'
import type { Place } from '../../secrets/vault.ts'
import { changeUser } from '../users/store.ts'
import type { FactorTables } from './tables.ts'

export type TotpRow = FactorTables['totp']
export type PasskeyRow = FactorTables['passkey']

export const totpPlace = (userId: string): Place => ({ table: 'totp', column: 'sealed_secret', row: userId })

export const findTotp = (db: Query, userId: string): Promise<TotpRow | undefined> =>
  db.selectFrom('totp').selectAll().where('user_id', '=', userId).executeTakeFirst()

/** In place of one that was begun before. */
export const storeTotp = (tx: Tx, row: TotpRow): Promise<void> =>
  tx.insertMany('totp', [{ ...row }], { key: ['user_id'], then: 'replace' })

/** Takes a step of the app; false when it, or a later one, was taken before. The first one confirms a new app. */
export async function takeStep(db: Query, userId: string, step: number, confirmed: 0 | 1): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('totp')
    .set({ last_step: step, confirmed: 1 })
    .where('user_id', '=', userId)
    .where('last_step', '<', step)
    .where('confirmed', '=', confirmed)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export const removeTotp = (db: Query, userId: string): Promise<unknown> =>
  db.deleteFrom('totp').where('user_id', '=', userId).execute()

const hashCode = (code: string): string => hash('sha256', code)

/** In place of all that were left. */
export async function storeRecoveryCodes(tx: Tx, userId: string, codes: readonly string[]): Promise<void> {
  await removeRecoveryCodes(tx.query, userId)
  await tx.insertMany(
    'recovery_code',
    codes.map((code) => ({ code_hash: hashCode(code), user_id: userId })),
  )
}

/** Takes a code; false when the person has no such code any more. */
export async function takeRecoveryCode(db: Query, userId: string, code: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('recovery_code')
    .where('code_hash', '=', hashCode(code))
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function countRecoveryCodes(db: Query, userId: string): Promise<number> {
  const { n } = await db
    .selectFrom('recovery_code')
    .select((e) => e.fn.countAll<number>().as('n'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return Number(n)
}

const removeRecoveryCodes = (db: Query, userId: string): Promise<unknown> =>
  db.deleteFrom('recovery_code').where('user_id', '=', userId).execute()

export const findPasskey = (db: Query, passkeyId: string): Promise<PasskeyRow | undefined> =>
  db.selectFrom('passkey').selectAll().where('passkey_id', '=', passkeyId).executeTakeFirst()

export const passkeysOf = (db: Query, userId: string): Promise<PasskeyRow[]> =>
  db.selectFrom('passkey').selectAll().where('user_id', '=', userId).orderBy('created_at').execute()

export const addPasskey = (tx: Tx, row: PasskeyRow): Promise<void> => tx.insertMany('passkey', [{ ...row }])

export async function removePasskey(db: Query, userId: string, passkeyId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('passkey')
    .where('passkey_id', '=', passkeyId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/**
 * Takes a signature over a challenge of `challengedAt`; false when it, or a later one, was taken before, also by its counter:
 * that of a copied passkey does not grow. One that does not count says 0.
 */
export async function takeSignature(
  db: Query,
  passkeyId: string,
  taken: { readonly challengedAt: number; readonly counter: number; readonly now: number },
): Promise<boolean> {
  const { challengedAt, counter, now } = taken
  const { numUpdatedRows } = await db
    .updateTable('passkey')
    .set({ counter, challenged_at: challengedAt, used_at: now })
    .where('passkey_id', '=', passkeyId)
    .where('challenged_at', '<', challengedAt)
    .$if(counter > 0, (sql) => sql.where('counter', '<', counter))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Notes in the user's own row which factors there are; answers whether there is any. Without one, recovery codes go. */
export async function noteFactors(tx: Tx, userId: string): Promise<boolean> {
  const totp = await findTotp(tx.query, userId)
  const [first] = await passkeysOf(tx.query, userId)
  const totp_enabled = Number(totp?.confirmed === 1)
  await changeUser(tx.query, userId, {
    totp_enabled,
    webauthn_enabled: Number(first !== undefined),
    webauthn_credential: first?.passkey_id ?? '',
  })
  const hasOne = totp_enabled === 1 || first !== undefined
  if (!hasOne) await removeRecoveryCodes(tx.query, userId)
  return hasOne
}

/** All factors of a person, who signs in by the password alone from then on. */
export async function removeFactors(tx: Tx, userId: string): Promise<void> {
  await removeTotp(tx.query, userId)
  await tx.query.deleteFrom('passkey').where('user_id', '=', userId).execute()
  await noteFactors(tx, userId)
}
