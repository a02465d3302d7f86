// `ROOKERY_KEYS=show-once` keeps the hashes of keys alone, also of the keys that could be read before.
import type { AppContext } from '../app-context.ts'
import { clearSealedKeys } from '../stores/keys/store.ts'

export async function forgetRecoverableKeys({
  writer,
  log,
}: Pick<AppContext, 'writer' | 'log'>): Promise<void> {
  const keys = await writer.write(async (tx) => {
    const cleared = await clearSealedKeys(tx.query)
    if (cleared > 0) await tx.configChanged()
    return cleared
  })
  if (keys > 0) log.info({ keys }, 'forgot keys that could be read again; they still work')
}
