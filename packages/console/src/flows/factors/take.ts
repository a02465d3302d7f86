// Taking what counts once, inside the transaction of what it opens.
import type { AppContext } from '../../app-context.ts'
import type { Tx } from '../../db/query.ts'
import { findTotp, takeRecoveryCode, takeStep, totpPlace } from '../../stores/factors/store.ts'
import { readCode } from './recovery-codes.ts'
import { stepOf } from './totp.ts'

/** Takes a code of the person's app, which `confirmed` says whether it is in use already; false for a wrong or used one. */
export async function takeTotp(
  tx: Tx,
  { vault, world }: Pick<AppContext, 'vault' | 'world'>,
  userId: string,
  code: string,
  confirmed: 0 | 1 = 1,
): Promise<boolean> {
  const row = await findTotp(tx.query, userId)
  if (row?.confirmed !== confirmed) return false
  const step = stepOf(vault.open(row.sealed_secret, totpPlace(userId)), code, world.clock.now())
  return step !== undefined && takeStep(tx.query, userId, step, confirmed)
}

export const takeRecovery = (tx: Tx, userId: string, code: string): Promise<boolean> =>
  takeRecoveryCode(tx.query, userId, readCode(code))
