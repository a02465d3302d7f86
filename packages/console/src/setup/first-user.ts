// The first user of an empty database, if the environment names one (ROOKERY_BOOTSTRAP_EMAIL and _PASSWORD).
import { Fault } from '@rookery/kernel/fault.ts'
import type { AppContext } from '../app-context.ts'
import type { Config } from '../config/config.ts'
import type { Tx } from '../db/query.ts'
import { systemEntry } from '../stores/audit/system-entry.ts'
import { hashPassword } from '../secrets/passwords.ts'
import { checkEmail, checkPassword, createUser } from '../stores/users/create.ts'
import { countUsers } from '../stores/users/store.ts'

/** Makes the user an admin; on a database with users the options are ignored. One option alone is a `bad-input`. */
export async function ensureFirstUser(
  { reader, writer, world, passwordCost }: Pick<AppContext, 'reader' | 'writer' | 'world' | 'passwordCost'>,
  config: Pick<Config, 'ROOKERY_BOOTSTRAP_EMAIL' | 'ROOKERY_BOOTSTRAP_PASSWORD'>,
): Promise<void> {
  const { ROOKERY_BOOTSTRAP_EMAIL: given, ROOKERY_BOOTSTRAP_PASSWORD: password } = config
  if (given === '' && password === '') return
  if (given === '' || password === '') {
    const [lone, missing] = given === '' ? ['PASSWORD', 'EMAIL'] : ['EMAIL', 'PASSWORD']
    throw new Fault(
      'bad-input',
      `ROOKERY_BOOTSTRAP_${lone} is set, and ROOKERY_BOOTSTRAP_${missing} is not; the first user needs both.`,
    )
  }
  const email = checkEmail(given)
  if ((await countUsers(reader)) > 0) return
  await checkPassword(password, email, 'ROOKERY_BOOTSTRAP_PASSWORD')
  const password_hash = await hashPassword(world.random, password, passwordCost)
  const make = async (tx: Tx): Promise<boolean> => {
    // Another console may have been first.
    if ((await countUsers(tx.query)) > 0) return false
    await createUser(tx, world, { email, password_hash, access_level: 'admin', note: 'First user' })
    return true
  }
  const entry = systemEntry(world.clock, 'console', 'console.first_user', 'Make the first user', { email })
  await writer.write(make, 'care', (made) => (made ? [entry] : []))
}
