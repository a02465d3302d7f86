// Single flight: callers who wait for the same answer share one call.
import { batcher } from '@rookery/kernel/batcher.ts'

/**
 * Callers who come while `ask` is under way share the next one: no answer is older than its caller's question. `gather` is
 * awaited before each `ask`, so that more callers share it.
 */
export function coalesce<T>(ask: () => T | Promise<T>, gather?: () => Promise<void>): () => Promise<T> {
  const callers = batcher<undefined, T>({
    max: Infinity,
    ...(gather && { gather }),
    async flush(waiting) {
      const answer = await ask()
      return waiting.map(() => answer)
    },
  })
  return () => callers.add(undefined)
}

/** The same for questions of many kinds: those with one key are one question. */
export function coalesceBy<Question, Answer>(
  keyOf: (question: Question) => string,
  ask: (question: Question) => Promise<Answer>,
): (question: Question) => Promise<Answer> {
  const open = new Map<string, { readonly ask: () => Promise<Answer>; waiting: number }>()

  return async (question) => {
    const key = keyOf(question)
    const same = open.get(key) ?? { ask: coalesce(() => ask(question)), waiting: 0 }
    open.set(key, same)
    same.waiting++
    try {
      return await same.ask()
    } finally {
      if (--same.waiting === 0) open.delete(key)
    }
  }
}
