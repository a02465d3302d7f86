// What a console caches of settings, keys and receivers: valid while `config_version` stands.
import { boundedMap } from '@rookery/kernel/bounded-map.ts'
import { limit } from '@rookery/kernel/limit.ts'
import type { Clock } from '@rookery/kernel/world.ts'
import type { Background } from '../background/background.ts'
import { task } from '../background/task.ts'
import type { Engine } from './engine.ts'
import type { Query } from './query.ts'

export interface ConfigCache {
  /** The value of `name`: cached, or loaded anew after any change of configuration. */
  get<T>(name: string, load: (db: Query) => Promise<T>): Promise<T>
  /** Takes the version that a transaction has read. */
  observe(version: number): void
  /** Drops everything: this process has just changed something. */
  invalidate(): void
  stop(): void
}

const POLL_MS = 250
const TASK = task('configuration', POLL_MS, 'Looks whether another console changed the configuration')
/** Values of the configuration that are cached. */
const ENTRIES = limit('config_cache', 10_000)

export function openConfigCache(
  { reader, commitSequence }: Pick<Engine, 'reader' | 'commitSequence'>,
  { clock, background }: { readonly clock: Clock; readonly background: Background },
): ConfigCache {
  const entries = boundedMap<string, Promise<unknown>>(ENTRIES)
  let seen: number | undefined
  let generation = 0

  function clear(): void {
    generation++
    entries.clear()
  }
  function observe(version: number): void {
    if (version === seen) return
    seen = version
    clear()
  }

  const poll = background.loop(TASK, {
    clock,
    async run() {
      observe((await commitSequence()).config_version)
      return clock.now() + POLL_MS
    },
    // A database that is away is reported where it is needed.
    onError: () => POLL_MS,
  })
  poll.wake()

  return {
    observe,
    invalidate() {
      // The version may have been read in a transaction that failed: another change may bear the same number.
      seen = undefined
      clear()
    },
    stop: () => void poll.stop(),
    get<T>(name: string, load: (db: Query) => Promise<T>): Promise<T> {
      const cached = entries.get(name)
      if (cached) return cached as Promise<T>
      const startedIn = generation
      const loading = load(reader)
      entries.set(name, loading)
      const drop = (): void => {
        if (entries.peek(name) === loading) entries.delete(name)
      }
      // A value read while the configuration changed may be the old one: serve it once, do not keep it.
      loading.then(() => (startedIn === generation ? undefined : drop()), drop)
      return loading
    },
  }
}

/** The present version of the configuration. */
export async function readVersion(db: Query): Promise<number> {
  const row = await db
    .selectFrom('commit_sequence')
    .select('config_version')
    .where('id', '=', 1)
    .executeTakeFirstOrThrow()
  return row.config_version
}
