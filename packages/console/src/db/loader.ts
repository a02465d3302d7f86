// Single look-ups as few queries, as DataLoader does it: planning a query costs a server more than answering it.
import { batcher } from '@rookery/kernel/batcher.ts'

const KEYS_PER_QUERY = 1_000

/** Keys that come while a query is under way share the next one. */
export function loader<Key, Value>(
  load: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>,
): (key: Key) => Promise<Value | undefined> {
  const { add } = batcher<Key, Value | undefined>({
    max: KEYS_PER_QUERY,
    async flush(keys) {
      const found = await load([...new Set(keys)])
      return keys.map((key) => found.get(key))
    },
  })
  return add
}
