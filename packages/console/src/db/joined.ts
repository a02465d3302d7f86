// A question that many ask at once is asked once for all who wait.

/**
 * Whoever comes while `ask` is under way joins the next one: every answer was asked for after its caller came, so nobody
 * is told less than he could have known.
 */
export function joined<T>(ask: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined
  let next: Promise<T> | undefined

  function start(): Promise<T> {
    next = undefined
    const asked = ask()
    running = asked
    const end = (): void => {
      // Who comes before the next one starts joins it.
      if (running === asked && !next) running = undefined
    }
    asked.then(end, end)
    return asked
  }
  return () => (running ? (next ??= running.then(start, start)) : start())
}

/** The same for questions of many kinds: those that have one key are one question. */
export function joinedBy<Question, Answer>(
  keyOf: (question: Question) => string,
  ask: (question: Question) => Promise<Answer>,
): (question: Question) => Promise<Answer> {
  const open = new Map<string, { readonly ask: () => Promise<Answer>; waiting: number }>()

  return async (question) => {
    const key = keyOf(question)
    const same = open.get(key) ?? { ask: joined(() => ask(question)), waiting: 0 }
    open.set(key, same)
    same.waiting++
    try {
      return await same.ask()
    } finally {
      if (--same.waiting === 0) open.delete(key)
    }
  }
}
