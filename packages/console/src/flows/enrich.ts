// Enrichment after the commit, off the ingest path: the reverse name of the source, cached.
import { boundedMap } from '@rookery/kernel/bounded-map.ts'
import { limit } from '@rookery/kernel/limit.ts'
import type { AppContext } from '../app-context.ts'
import { writeReverseName } from '../stores/incidents/write.store.ts'
import type { NewIncident } from './raise/plan.ts'

export interface Enrichment {
  /** Looks up the sources of new incidents; past the limit they stay without a name. */
  enrich(created: readonly NewIncident[]): void
  /**
   * The name of an address that was looked up of late or is being looked up, empty when it has none. With `mayAsk` any other
   * is looked up, too: another console may have raised its incident. Else undefined, and past the limit.
   */
  nameOf(address: string, options: { readonly mayAsk: boolean }): Promise<string> | undefined
  stop(): void
}

/** A look-up; the incident's name is stored by the console that raised it. */
interface Wanted {
  readonly src_host: string
  readonly incident_id?: number
}

const CONCURRENT_LOOKUPS = 4
/** New incidents that wait for the reverse name of their source; further ones stay without. */
const WAITING = limit('enrichment_queue', 1_000)
/** Addresses whose reverse names are cached. */
const NAMES = limit('enrichment_cache', 10_000)
const CACHED_MS = 3_600_000

export function openEnrichment({
  writer,
  world,
  log,
}: Pick<AppContext, 'writer' | 'world' | 'log'>): Enrichment {
  const names = boundedMap<string, { readonly name: string; readonly at: number }>(NAMES)
  /** By address: the look-ups that wait or run. */
  const pending = new Map<string, PromiseWithResolvers<string>>()
  let waiting: Wanted[] = []
  let running = 0
  let stopped = false

  function lookedUp(address: string): Promise<string> | undefined {
    const cached = names.get(address)
    const isFresh = cached !== undefined && world.clock.now() - cached.at < CACHED_MS
    return isFresh ? Promise.resolve(cached.name) : undefined
  }

  async function lookUp(address: string): Promise<string> {
    const [name = ''] = await world.resolver.reverse(address)
    names.set(address, { name: name.slice(0, 255), at: world.clock.now() })
    return name
  }

  async function work(): Promise<void> {
    for (let next = waiting.shift(); next && !stopped; next = waiting.shift()) {
      const { incident_id, src_host } = next
      let name = ''
      try {
        name = await (lookedUp(src_host) ?? lookUp(src_host))
      } finally {
        pending.get(src_host)?.resolve(name)
        pending.delete(src_host)
      }
      if (name !== '' && incident_id !== undefined && !stopped)
        await writer.write((tx) => writeReverseName(tx, incident_id, name, world.clock.now()))
    }
  }

  function ask(wanted: readonly Wanted[]): void {
    if (stopped) return
    const room = WAITING.max - waiting.length
    if (wanted.length > room) WAITING.hit()
    for (const one of wanted.slice(0, room)) {
      waiting.push(one)
      if (!pending.has(one.src_host)) pending.set(one.src_host, Promise.withResolvers())
    }
    while (running < CONCURRENT_LOOKUPS && waiting.length > 0) {
      running++
      work()
        .catch((error: unknown) => log.debug({ err: error }, 'could not look up a reverse name'))
        .finally(() => running--)
    }
  }

  return {
    // Of a token's visitor only the headers are shown; the reverse name stays empty.
    enrich: (created) => ask(created.filter(({ memo, src_host }) => memo === null && src_host !== '')),
    nameOf(address, { mayAsk }) {
      // A name that was found a moment ago may not be stored yet.
      const known = pending.get(address)?.promise ?? lookedUp(address)
      if (known || !mayAsk) return known
      ask([{ src_host: address }])
      return pending.get(address)?.promise
    },
    stop() {
      stopped = true
      waiting = []
      for (const { resolve } of pending.values()) resolve('')
      pending.clear()
    },
  }
}
