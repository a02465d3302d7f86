// One time limit for many items: a timer for those that come together, instead of one for each.
import type { Clock } from './world.ts'

export interface DeadlinesOptions<T> {
  readonly clock: Pick<Clock, 'after'>
  readonly ms: number
  /** Items that come within this time share a timer. */
  readonly earlyMs: number
  readonly onDue: (item: T) => void
}

export function deadlines<T>({ clock, ms, earlyMs, onDue }: DeadlinesOptions<T>) {
  let together: Set<T> | undefined

  function begin(): Set<T> {
    const items = new Set<T>()
    clock.after(earlyMs, () => {
      together = undefined
      if (items.size > 0) clock.after(ms - earlyMs, () => items.forEach(onDue))
    })
    return items
  }

  return {
    /** Calls `onDue` with the item in `ms` milliseconds, or up to `earlyMs` before; unless it is deleted from the answer. */
    add: (item: T): Pick<Set<T>, 'delete'> => (together ??= begin()).add(item),
  }
}
