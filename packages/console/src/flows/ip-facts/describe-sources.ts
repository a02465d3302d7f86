// Events say what files know of their source: at once where it is in memory, else after the commit, when it was looked up.
// No touch waits for a file.
import { limit } from '@rookery/kernel/limit.ts'
import type { AppContext } from '../../app-context.ts'
import { aggregationKey } from '../../stores/incidents/aggregation.ts'
import { addSourceFacts, type SourceFacts } from '../../stores/incidents/event-facts.store.ts'
import type { Arrival } from '../raise/arrival.ts'
import type { IpFacts } from './ip-facts.ts'

export interface SourceDescriber {
  /** The same touches, with what is known of their sources. */
  describe(arrivals: readonly Arrival[]): readonly Arrival[]
  /** Call it after their commit, with what `describe` answered: looks up the sources that are not known yet. */
  lookUp(arrivals: readonly Arrival[]): void
  /** Resolves once nothing is being looked up. */
  stop(): Promise<void>
}

/** Events of one source in one batch; past this they stay as they are. */
const WAITING = limit('ip_facts_queue', 1_000)
/** Their look-ups run at once, and their events are changed in one transaction. */
const AT_ONCE = 8

type Undescribed = Omit<SourceFacts, 'facts'>

export function openSourceDescriber(
  ipFacts: Pick<IpFacts, 'known' | 'lookUp'>,
  { writer, world, log }: Pick<AppContext, 'writer' | 'world' | 'log'>,
): SourceDescriber {
  /** By aggregation key, source and time. */
  const waiting = new Map<string, Undescribed>()
  let running: Promise<void> | undefined
  let isStopped = false

  async function work(): Promise<void> {
    while (waiting.size > 0 && !isStopped) {
      const taken = [...waiting].slice(0, AT_ONCE)
      for (const [key] of taken) waiting.delete(key)
      await describeStored(taken.map(([, undescribed]) => undescribed))
    }
    running = undefined
  }

  async function describeStored(undescribed: readonly Undescribed[]): Promise<void> {
    try {
      const found = await Promise.all(
        undescribed.map(async (it): Promise<SourceFacts> => ({
          ...it,
          facts: await ipFacts.lookUp(it.srcHost),
        })),
      )
      const known = found.filter(({ facts }) => Object.keys(facts).length > 0)
      if (known.length > 0) await writer.write((tx) => addSourceFacts(tx, known, world.clock.now()))
    } catch (error) {
      log.warn({ err: error }, 'could not add to events what is known of their source')
    }
  }

  return {
    describe: (arrivals) =>
      arrivals.map((arrival) => {
        const facts = ipFacts.known(arrival.touch.srcHost)
        if (!facts || Object.keys(facts).length === 0) return arrival
        const fields = { ...arrival.touch.fields, ...facts }
        return { ...arrival, touch: { ...arrival.touch, fields } }
      }),
    lookUp(arrivals) {
      for (const { touch, receivedAt } of arrivals) {
        const { srcHost } = touch
        if (srcHost === '' || ipFacts.known(srcHost)) continue
        const undescribed = { aggregationKey: aggregationKey(touch), receivedAt, srcHost }
        const key = `${undescribed.aggregationKey} ${srcHost} ${receivedAt}`
        if (waiting.has(key)) continue
        if (waiting.size >= WAITING.max) return WAITING.hit()
        waiting.set(key, undescribed)
      }
      if (waiting.size > 0) running ??= work()
    },
    async stop() {
      isStopped = true
      await running
    },
  }
}
