// The console's own key on the link: made once, sealed in the database, the same for every console on it. Birds pin it.
import { keyPair, type KeyPair } from '@rookery/link/noise/keys.ts'
import type { AppContext } from '../../app-context.ts'
import { readMeta, writeMetaOnce } from '../../db/meta.store.ts'

const NAME = 'link_key'
/** Where the key is sealed. */
export const LINK_KEY_PLACE = { table: 'meta', column: 'value', row: NAME }

/** Reads the key, or makes it where there is none. */
export async function openConsoleKey({
  reader,
  writer,
  vault,
  world,
}: Pick<AppContext, 'reader' | 'writer' | 'vault' | 'world'>): Promise<KeyPair> {
  let sealed = await readMeta(reader, NAME)
  if (sealed === undefined) {
    const secret = Buffer.from(world.random.bytes(32)).toString('hex')
    // Another console may have stored its key first: the stored one counts.
    sealed = await writer.write(async (tx) => {
      await writeMetaOnce(tx, NAME, vault.seal(secret, LINK_KEY_PLACE))
      return (await readMeta(tx.query, NAME)) ?? ''
    })
  }
  return keyPair(Buffer.from(vault.open(sealed, LINK_KEY_PLACE), 'hex'))
}
