// Single look-ups that many ask for at once become one question: planning it costs a server more than answering it.
import { joined } from './joined.ts'

/** The first to come is asked for alone; whoever comes while an answer is under way, with all others who do, in the next. */
export function batched<Key, Value>(
  ask: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>,
): (key: Key) => Promise<Value | undefined> {
  let waiting = new Set<Key>()
  const answer = joined(() => {
    const asked = waiting
    waiting = new Set()
    return ask([...asked])
  })
  return async (key) => {
    waiting.add(key)
    return (await answer()).get(key)
  }
}
