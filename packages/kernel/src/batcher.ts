// Group commit for anything: what arrives while one batch is being flushed goes into the next.

export interface BatcherOptions<T, R> {
  /** The most that one flush takes, in items or in what `weigh` says. One item is always taken. */
  readonly max: number
  readonly weigh?: (item: T) => number
  /** Awaited before each batch is taken, so that more items can join those that wait. */
  readonly gather?: (waiting: readonly T[]) => Promise<void> | undefined
  /** Called for one batch at a time; answers one result for each item, in their order. A rejected one rejects its item alone. */
  readonly flush: (items: readonly T[]) => Promise<readonly (R | PromiseLike<R>)[]>
}

interface Entry<T, R> {
  readonly item: T
  readonly resolve: (result: R | PromiseLike<R>) => void
  readonly reject: (error: unknown) => void
}

export function batcher<T, R>({ max, weigh = () => 1, gather, flush }: BatcherOptions<T, R>) {
  const queue: Entry<T, R>[] = []
  let running: Promise<void> | undefined

  function take(): typeof queue {
    let weight = 0
    const end = queue.findIndex(({ item }) => (weight += weigh(item)) > max)
    return queue.splice(0, end < 0 ? queue.length : Math.max(1, end))
  }

  async function flushAll(): Promise<void> {
    while (queue.length > 0) {
      await gather?.(queue.map(({ item }) => item))
      const taken = take()
      try {
        const results = await flush(taken.map(({ item }) => item))
        if (results.length !== taken.length)
          throw new Error(`A flush of ${taken.length} items answered ${results.length} results.`)
        taken.forEach(({ resolve }, index) => resolve(results[index] as R | PromiseLike<R>))
      } catch (error) {
        for (const { reject } of taken) reject(error)
      }
    }
    running = undefined
  }

  return {
    /** Resolves with the item's own result; rejects with what its flush threw. */
    add(item: T): Promise<R> {
      return new Promise((resolve, reject) => {
        queue.push({ item, resolve, reject })
        running ??= Promise.resolve().then(flushAll)
      })
    },
    /** Items that no flush has taken yet. */
    waiting: () => queue.length,
    /** Resolves once nothing waits and nothing is being flushed. */
    idle: async (): Promise<void> => {
      while (running) await running
    },
  }
}

export type Batcher<T, R> = ReturnType<typeof batcher<T, R>>
