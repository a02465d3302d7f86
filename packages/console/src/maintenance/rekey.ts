// Another master key for the whole installation, in one transaction (decision 0025). No console may be running.
import { Fault } from '@rookery/kernel/fault.ts'
import { LINK_KEY_PLACE } from '../channels/link/console-key.ts'
import type { DataFolder } from '../data-folder.ts'
import { refuseWhileServed } from '../db/lease.store.ts'
import { readMeta, writeMeta } from '../db/meta.store.ts'
import type { Tx } from '../db/query.ts'
import { rekeyHandles } from '../flows/providers/handle-at-rest.ts'
import { rekeyTokens } from '../flows/tokens/rekey.ts'
import type { OpenContext } from '../open-context.ts'
import { adoptNextKey, storeNextKey } from '../secrets/master-key.ts'
import { openVault, type Vault } from '../secrets/vault.ts'
import { checkSealed, sealUnder } from '../setup/open-master-vault.ts'
import { appendAudit, readHead, resealHead } from '../stores/audit/store.ts'
import { systemEntry } from '../stores/audit/system-entry.ts'
import { rekeyBirds, rekeyEnrolments } from '../stores/birds/rekey.store.ts'
import { rekeyCertificates } from '../stores/certificates/rekey.store.ts'
import { rekeyFactors } from '../stores/factors/rekey.store.ts'
import { rekeyKeys } from '../stores/keys/rekey.store.ts'
import { rekeyTransfers } from '../stores/transfers/rekey.store.ts'
import { rekeyReceivers } from '../stores/webhooks/rekey.store.ts'

type RekeyContext = Pick<OpenContext, 'engine' | 'vault' | 'world' | 'outage'>

/**
 * Seals and hashes everything anew; answers the id of the new key. With `folder`, the key lies there, and its files are
 * replaced so that a kill at any moment leaves one that opens the database. Throws `conflict` while a console runs.
 */
export async function rekey(context: RekeyContext, next: Uint8Array, folder?: DataFolder): Promise<string> {
  const { engine, vault, world } = context
  const { keyId } = openVault(next, world.random)
  if (keyId === vault.keyId)
    throw new Fault('bad-input', `The new master key is the present one, ${keyId}. Give another.`)
  try {
    await engine.transaction(async (tx) => {
      // No other transaction runs meanwhile: what a console that has opened since did to its leases is seen here.
      await refuseWhileServed(tx.query, engine.place, world.clock.now())
      // The transaction of a command that was killed in COMMIT may have sealed the database, and the file of the next key
      // is then the only place of its key.
      await checkSealed(tx, vault)
      if (folder) storeNextKey(folder, next)
      await rekeyAll(tx, context, next, keyId)
    })
  } catch (error) {
    throw context.outage(error) ?? error
  }
  if (folder) adoptNextKey(folder)
  return keyId
}

async function rekeyAll(
  tx: Tx,
  { vault, world }: RekeyContext,
  next: Uint8Array,
  keyId: string,
): Promise<void> {
  const facts = { from: vault.keyId, to: keyId }
  await appendAudit(tx, vault, [
    systemEntry(world.clock, 'local', 'console.rekey', 'Replace the master key', facts),
  ])
  const head = await readHead(tx.query)
  if (!head) throw new Error('The audit trail has no end.')
  const retired = vault.retire(head.last_id)
  const to = openVault(next, world.random, retired)
  await resealHead(tx, to, head)
  await rekeyKeys(tx, vault, to)
  await rekeyEnrolments(tx, to)
  await rekeyBirds(tx, vault, to)
  await rekeyFactors(tx, vault, to)
  await rekeyReceivers(tx, vault, to)
  await rekeyTokens(tx, vault, to)
  await rekeyHandles(tx, vault, to)
  await rekeyCertificates(tx, vault, to)
  await rekeyTransfers(tx, vault, to)
  await rekeyLinkKey(tx, vault, to)
  await sealUnder(tx, to, retired)
  await tx.configChanged()
}

async function rekeyLinkKey(tx: Tx, from: Vault, to: Vault): Promise<void> {
  const sealed = await readMeta(tx.query, LINK_KEY_PLACE.row)
  if (sealed !== undefined)
    await writeMeta(tx, LINK_KEY_PLACE.row, to.seal(from.open(sealed, LINK_KEY_PLACE), LINK_KEY_PLACE))
}
