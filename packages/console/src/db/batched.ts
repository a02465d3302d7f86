// Single look-ups that many ask for at once become one question: planning it costs a server more than answering it.

/**
 * The first to come is asked for alone; whoever comes while an answer is under way, together with all others who do, in the
 * next. Every answer was asked for after its caller came.
 */
export function batched<Key, Value>(
  ask: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>,
): (key: Key) => Promise<Value | undefined> {
  let running: Promise<ReadonlyMap<Key, Value>> | undefined
  let next: { readonly keys: Set<Key>; readonly answer: Promise<ReadonlyMap<Key, Value>> } | undefined

  function start(keys: ReadonlySet<Key>): Promise<ReadonlyMap<Key, Value>> {
    const asked = ask([...keys])
    running = asked
    const end = (): void => {
      if (running === asked) running = undefined
    }
    asked.then(end, end)
    return asked
  }

  function queue(behind: Promise<unknown>) {
    const keys = new Set<Key>()
    const begin = () => {
      next = undefined
      return start(keys)
    }
    return { keys, answer: behind.then(begin, begin) }
  }

  return async (key) => {
    if (!running) return (await start(new Set([key]))).get(key)
    next ??= queue(running)
    next.keys.add(key)
    return (await next.answer).get(key)
  }
}
