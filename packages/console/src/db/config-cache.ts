// What a console remembers of settings, keys and receivers: valid while `config_version` stands.
import type { Clock } from '@rookery/kernel/world.ts'
import type { Query } from './query.ts'

export interface ConfigCache {
  /** The value of `name`: remembered, or loaded anew after any change of configuration. */
  get<T>(name: string, load: (db: Query) => Promise<T>): Promise<T>
  /** Tells of a version seen in a transaction. */
  observe(version: number): void
  /** Forgets everything: this process has just changed something. */
  invalidate(): void
  stop(): void
}

const POLL_MS = 250
/** Keys and factories may be many; past this, what was remembered is let go. */
const MOST_ENTRIES = 10_000

export function openConfigCache(reader: Query, clock: Clock): ConfigCache {
  let seen: number | undefined
  let generation = 0
  const entries = new Map<string, Promise<unknown>>()
  let cancel = (): void => undefined
  let stopped = false

  function forgetAll(): void {
    generation++
    entries.clear()
  }
  function observe(version: number): void {
    if (version === seen) return
    seen = version
    forgetAll()
  }
  function invalidate(): void {
    // The version may have been read in a transaction that failed: another change may bear the same number.
    seen = undefined
    forgetAll()
  }
  function poll(): void {
    cancel = clock.after(POLL_MS, () => {
      readVersion(reader)
        // A database that is away for a moment is told by those who need it.
        .then(observe, () => undefined)
        .finally(() => (stopped ? undefined : poll()))
    })
  }
  poll()

  return {
    observe,
    invalidate,
    stop() {
      stopped = true
      cancel()
    },
    get<T>(name: string, load: (db: Query) => Promise<T>): Promise<T> {
      const kept = entries.get(name)
      if (kept) return kept as Promise<T>
      if (entries.size >= MOST_ENTRIES) entries.clear()
      const startedIn = generation
      const loading = load(reader)
      entries.set(name, loading)
      const forget = (): void => {
        if (entries.get(name) === loading) entries.delete(name)
      }
      // A value read while the configuration changed may be the old one: serve it once, keep it not.
      loading.then(() => (startedIn === generation ? undefined : forget()), forget)
      return loading
    },
  }
}

/** The present version of the configuration. */
export async function readVersion(db: Query): Promise<number> {
  const row = await db
    .selectFrom('turn')
    .select('config_version')
    .where('id', '=', 1)
    .executeTakeFirstOrThrow()
  return row.config_version
}
