// Aggregation keys that have gone quiet.
import type { Engine } from '../../db/engine.ts'
import type { Tx } from '../../db/query.ts'

/** At most `most` keys without a touch since `before`. Reads the whole table, away from the event loop: an index would cost every touch. */
export async function quietKeys(engine: Engine, before: number, most: number): Promise<string[]> {
  const quiet = engine.reader
    .selectFrom('open_incident')
    .select('agg_key')
    .where('last_at', '<', before)
    .limit(most)
  return (await engine.longRead(quiet.compile())).map(({ agg_key }) => agg_key)
}

/** Removes those of the keys that are quiet still. */
export async function removeQuietKeys(tx: Tx, keys: readonly string[], before: number): Promise<void> {
  for (const key of keys)
    await tx.rows('DELETE FROM open_incident WHERE agg_key = ? AND last_at < ?', [key, before])
}
