// A question that costs more than a few system calls: asked once for all who come in one turn of the event loop.

/**
 * Asked at the turn's end, after everything that has arrived: nobody is told less than he could have known. Their answers
 * then leave one right after the other, which wakes their receivers less often.
 */
export function gathered<T>(ask: () => T | Promise<T>): () => Promise<T> {
  let waiting: Promise<T> | undefined
  return () =>
    (waiting ??= new Promise((resolve, reject) => {
      setImmediate(() => {
        waiting = undefined
        try {
          resolve(ask())
        } catch (error) {
          reject(error as Error)
        }
      })
    }))
}
