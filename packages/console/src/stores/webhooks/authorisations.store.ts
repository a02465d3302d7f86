// Authorisations of chat services that were begun: every query on their table.
import type { Query, Tx } from '../../db/query.ts'
import type { WebhookTables } from './tables.ts'

export type Authorisation = WebhookTables['chat_authorisation']

/** Notes one; those that have expired go. */
export async function beginAuthorisation(tx: Tx, row: Authorisation, now: number): Promise<void> {
  await tx.query.deleteFrom('chat_authorisation').where('expires_at', '<=', now).execute()
  await tx.insertMany('chat_authorisation', [{ ...row }])
}

/** Removes one and answers it; a second call with the same nonce finds nothing. */
export const takeAuthorisation = (db: Query, nonce: string): Promise<Authorisation | undefined> =>
  db.deleteFrom('chat_authorisation').where('nonce', '=', nonce).returningAll().executeTakeFirst()
