import { hash } from 'node:crypto'
import { hex } from '@rookery/kernel/ids.ts'
import type { Random } from '@rookery/kernel/world.ts'
import type { Query, Tx } from '../../db/query.ts'
import type { TicketKind, TicketTables } from './tables.ts'

/** How long a set-up link works. */
export const SETUP_MS = 30 * 60_000

/** Makes a ticket and answers its code, which nothing stores. Those that have ended go. */
export async function createTicket(
  tx: Tx,
  random: Random,
  kind: TicketKind,
  now: number,
  lifetimeMs: number,
): Promise<string> {
  const code = hex(random, 32)
  await tx.query.deleteFrom('ticket').where('expires_at', '<=', now).execute()
  await tx.insertMany('ticket', [
    { code_hash: hashCode(code), kind, created_at: now, expires_at: now + lifetimeMs },
  ])
  return code
}

export const findTicket = (
  db: Query,
  code: string,
  now: number,
): Promise<TicketTables['ticket'] | undefined> =>
  db
    .selectFrom('ticket')
    .selectAll()
    .where('code_hash', '=', hashCode(code))
    .where('expires_at', '>', now)
    .executeTakeFirst()

/**
 * Takes the ticket, and all others of its kind: the links of two consoles on one database, used at once, count as one.
 * Answers whether it was still there: of two uses at once, one gets it.
 */
export async function takeTicket(tx: Tx, code: string, now: number): Promise<boolean> {
  const found = await findTicket(tx.query, code, now)
  if (!found) return false
  const { numDeletedRows } = await tx.query
    .deleteFrom('ticket')
    .where('code_hash', '=', found.code_hash)
    .executeTakeFirst()
  await tx.query.deleteFrom('ticket').where('kind', '=', found.kind).execute()
  return numDeletedRows > 0n
}

const hashCode = (code: string): string => hash('sha256', code)
