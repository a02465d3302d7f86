// What goes with every added or removed factor, inside its change.
import { Fault } from '@rookery/kernel/fault.ts'
import type { World } from '@rookery/kernel/world.ts'
import type { Tx } from '../../db/query.ts'
import { newRecoveryCodes, printCode } from '../../flows/factors/recovery-codes.ts'
import type { Person } from '../../http/person.ts'
import { noteFactors, storeRecoveryCodes } from '../../stores/factors/store.ts'
import { signInRules } from '../../stores/settings/sign-in.ts'
import { readSettings } from '../../stores/settings/store.ts'
import { findUserById, hasFactor } from '../../stores/users/store.ts'

/** Ten recovery codes with the first factor; none with a further one. */
export async function noteAdded(
  tx: Tx,
  world: Pick<World, 'random'>,
  { userId }: Person,
): Promise<{ recovery_codes: string[] }> {
  const user = await findUserById(tx.query, userId)
  const isFirst = user !== undefined && !hasFactor(user)
  await noteFactors(tx, userId)
  return isFirst ? newCodes(tx, world, userId) : { recovery_codes: [] }
}

export async function newCodes(
  tx: Tx,
  { random }: Pick<World, 'random'>,
  userId: string,
): Promise<{ recovery_codes: string[] }> {
  const codes = newRecoveryCodes(random)
  await storeRecoveryCodes(tx, userId, codes)
  return { recovery_codes: codes.map(printCode) }
}

/** Refuses where it was the last one, and one is required of all. */
export async function noteRemoved(tx: Tx, { userId }: Person): Promise<Record<string, never>> {
  const { isFactorRequired } = signInRules(await readSettings(tx.query))
  if (!(await noteFactors(tx, userId)) && isFactorRequired)
    throw new Fault('conflict', 'Everybody needs a second factor here: add another one first.')
  return {}
}
