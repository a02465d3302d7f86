// The vault of the installation: under the master key that the database was sealed under.
import { Fault } from '@rookery/kernel/fault.ts'
import type { Random } from '@rookery/kernel/world.ts'
import type { DataFolder } from '../data-folder.ts'
import type { Engine } from '../db/engine.ts'
import { readMeta, writeMeta, writeMetaOnce } from '../db/meta.store.ts'
import type { Tx } from '../db/query.ts'
import { adoptNextKey, readMasterKeys } from '../secrets/master-key.ts'
import { openVault, type RetiredKeys, type Vault } from '../secrets/vault.ts'

/** Sealed at the first start: it opens under the right master key alone. */
const CHECK = { table: 'meta', column: 'value', row: 'master_key_check' }
const CHECKED = 'rookery'
const RETIRED = { table: 'meta', column: 'value', row: 'retired_keys' }

export interface MasterVaultDeps {
  readonly engine: Engine
  readonly folder: DataFolder
  readonly random: Random
  /** From the environment, 64 hex digits; undefined for the key in the folder. */
  readonly given: string | undefined
  /** Whether this may be the first start, which makes a key. */
  readonly mayMake: boolean
  /** Whether files may change. */
  readonly mayAdopt: boolean
}

/** Throws a `conflict` when the database was sealed under another key. */
export async function openMasterVault(deps: MasterVaultDeps): Promise<Vault> {
  const { engine, folder, random, given, mayMake, mayAdopt } = deps
  const isSealed = (await readMeta(engine.reader, CHECK.row)) !== undefined
  const keys = readMasterKeys(given, folder, random, mayMake && !isSealed)
  const [first] = keys
  if (!isSealed && mayMake && first) {
    const vault = openVault(first.key, random)
    await engine.transaction((tx) => writeMetaOnce(tx, CHECK.row, vault.seal(CHECKED, CHECK)))
  }
  // Read again: another console may have written it first, under its own key.
  const check = (await readMeta(engine.reader, CHECK.row)) ?? ''
  let cause: unknown
  for (const { key, isNext } of keys) {
    const vault = openVault(key, random)
    try {
      vault.open(check, CHECK)
    } catch (error) {
      cause ??= error
      continue
    }
    if (isNext && mayAdopt) adoptNextKey(folder)
    const retired = await readMeta(engine.reader, RETIRED.row)
    return retired === undefined
      ? vault
      : openVault(key, random, JSON.parse(vault.open(retired, RETIRED)) as RetiredKeys)
  }
  throw new Fault(
    'conflict',
    `The master key is not the one that ${engine.place} was sealed under. Give back its master.key, or set ROOKERY_MASTER_KEY.`,
    { cause },
  )
}

/** Throws `conflict` when another transaction has sealed the database under another key than that of `vault` meanwhile. */
export async function checkSealed(tx: Tx, vault: Vault): Promise<void> {
  try {
    vault.open((await readMeta(tx.query, CHECK.row)) ?? '', CHECK)
  } catch (cause) {
    throw new Fault('conflict', 'The master key has just been replaced by another command.', { cause })
  }
}

/** From this commit on, the database opens under the key of `vault` alone. */
export async function sealUnder(tx: Tx, vault: Vault, retired: RetiredKeys): Promise<void> {
  await writeMeta(tx, CHECK.row, vault.seal(CHECKED, CHECK))
  await writeMeta(tx, RETIRED.row, vault.seal(JSON.stringify(retired), RETIRED))
}
