// The first admin key of an empty database: given by the environment, or made and written to `<data>/admin.key`.
import { newKey, newKeyId } from '@rookery/kernel/ids.ts'
import type { AppContext } from '../app-context.ts'
import type { Config } from '../config/config.ts'
import type { Tx } from '../db/query.ts'
import { writeSecretFile } from '../secrets/write-secret-file.ts'
import { systemEntry } from '../stores/audit/system-entry.ts'
import { FIRST_ACTION } from '../stores/audit/chain.ts'
import { countKeys } from '../stores/keys/store.ts'
import { createKey } from '../stores/keys/create.ts'

/** Answers the file that the key was written to; undefined when there was a key already, or one was given. */
export async function ensureFirstKey(
  base: Pick<AppContext, 'reader' | 'writer' | 'vault' | 'world'>,
  config: Pick<Config, 'ROOKERY_BOOTSTRAP_KEY' | 'ROOKERY_KEYS'>,
  path: string,
): Promise<string | undefined> {
  if ((await countKeys(base.reader)) > 0) return undefined
  const given = config.ROOKERY_BOOTSTRAP_KEY || undefined
  const { random, clock } = base.world
  const key = given?.toLowerCase() ?? newKey(random)
  const keyId = newKeyId(random)
  const entry = systemEntry(clock, 'console', FIRST_ACTION, 'Make the first API key', { key_id: keyId })
  const make = async (tx: Tx): Promise<boolean> => {
    // Another console may have been first.
    if ((await countKeys(tx.query)) > 0) return false
    // Before the commit: a key that nobody can read would still be the first.
    if (given === undefined) writeSecretFile(path, key + '\n', true)
    await createKey(tx, base.vault, {
      keyId,
      key,
      type: 'admin',
      note: 'First key',
      createdAt: clock.now(),
      createdBy: 'console',
      keep: config.ROOKERY_KEYS === 'recoverable',
    })
    return true
  }
  const isMade = await base.writer.write(make, 'care', (made) => (made ? [entry] : []))
  return isMade && given === undefined ? path : undefined
}
