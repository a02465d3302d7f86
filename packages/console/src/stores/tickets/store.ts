import { hash } from 'node:crypto'
import { hex } from '@rookery/kernel/ids.ts'
import type { Random } from '@rookery/kernel/world.ts'
import type { Query, Tx } from '../../db/query.ts'
import type { TicketKind, TicketTables } from './tables.ts'

export type TicketRow = TicketTables['ticket']

/** How long a link works. */
export const SETUP_MS = 30 * 60_000
export const LIFETIME_MS = { invite: 72 * 3_600_000, reset: 3_600_000 } as const

/** Makes a ticket and answers its code, which nothing stores. Those that have ended go. */
export async function createTicket(
  tx: Tx,
  random: Random,
  kind: TicketKind,
  now: number,
  lifetimeMs: number,
  userId = '',
): Promise<string> {
  const code = hex(random, 32)
  await tx.query.deleteFrom('ticket').where('expires_at', '<=', now).execute()
  await tx.insertMany('ticket', [
    { code_hash: hashCode(code), kind, user_id: userId, created_at: now, expires_at: now + lifetimeMs },
  ])
  return code
}

export const findTicket = (db: Query, code: string, now: number): Promise<TicketRow | undefined> =>
  db
    .selectFrom('ticket')
    .selectAll()
    .where('code_hash', '=', hashCode(code))
    .where('expires_at', '>', now)
    .executeTakeFirst()

/**
 * Takes the ticket, and all others that do the same: the set-up links of two consoles on one database, used at once, count
 * as one, and so do all links of one person. Answers it if it was still there: of two uses at once, one gets it.
 */
export async function takeTicket(tx: Tx, code: string, now: number): Promise<TicketRow | undefined> {
  const found = await findTicket(tx.query, code, now)
  if (!found) return undefined
  const { numDeletedRows } = await tx.query
    .deleteFrom('ticket')
    .where('code_hash', '=', found.code_hash)
    .executeTakeFirst()
  await removeTicketsOf(tx.query, found.user_id)
  return numDeletedRows > 0n ? found : undefined
}

/** Removes every link of this person; of nobody, the set-up links. */
export const removeTicketsOf = (db: Query, userId: string): Promise<unknown> =>
  db.deleteFrom('ticket').where('user_id', '=', userId).execute()

const hashCode = (code: string): string => hash('sha256', code)
