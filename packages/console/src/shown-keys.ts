// A console that is told to show keys once keeps the hash alone, also of the keys that it could read before.
import type { Base } from './base.ts'
import { forgetKeys } from './stores/keys/store.ts'

export async function forgetShownKeys({ writer, log }: Pick<Base, 'writer' | 'log'>): Promise<void> {
  const keys = await writer.write(async (tx) => {
    const forgotten = await forgetKeys(tx.query)
    if (forgotten > 0) await tx.configChanged()
    return forgotten
  })
  if (keys > 0) log.info({ keys }, 'keys that could be read again were forgotten; they work as before')
}
