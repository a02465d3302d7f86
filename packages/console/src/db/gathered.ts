// A question that costs more than a few system calls: asked twice at most for all who come in one turn of the event loop.

/**
 * The first to come is answered at once: whoever is alone must not wait for the work that the turn still holds. All others are
 * answered at the turn's end, after everything that has arrived, so that nobody is told less than he could have known; their
 * answers then leave one right after the other, which wakes their receivers less often.
 */
export function gathered<T>(ask: () => T | Promise<T>): () => Promise<T> {
  let isAsked = false
  let waiting: Promise<T> | undefined

  function atTheEnd(): Promise<T> {
    return new Promise((resolve, reject) => {
      setImmediate(() => {
        waiting = undefined
        try {
          resolve(ask())
        } catch (error) {
          reject(error as Error)
        }
      })
    })
  }

  return () => {
    if (isAsked) return (waiting ??= atTheEnd())
    isAsked = true
    setImmediate(() => (isAsked = false))
    return new Promise((resolve) => resolve(ask()))
  }
}
