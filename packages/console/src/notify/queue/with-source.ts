// A message says the name of its source, and what files say of it, if that is known soon enough.
import type { EventFields } from '@rookery/kernel/touch.ts'
import type { QueuedRow } from '../../stores/deliveries/queue.store.ts'
import type { QueueDeps } from './queue-deps.ts'

/** How long an alert waits for what is being found out about its source. */
const SOURCE_MS = 500

type Described = Pick<QueuedRow, 'src_host' | 'src_host_reverse' | 'memo' | 'created_at' | 'event'>

/**
 * Waits until 500 ms after the message was made; a later one says what is in memory. Not after the incident: its time is
 * the Bird's, and the touch may have been on its way for longer than that.
 */
export async function withSource<M extends Described>(
  message: M,
  {
    nameOf,
    factsOf,
    world: { clock },
  }: Pick<QueueDeps, 'nameOf' | 'factsOf'> & { world: Pick<QueueDeps['world'], 'clock'> },
): Promise<M> {
  const { src_host, src_host_reverse, memo, created_at, event } = message
  if (!src_host) return message
  const left = Math.min(created_at + SOURCE_MS - clock.now(), SOURCE_MS)
  // Nobody is asked for a token's visitor.
  const name = src_host_reverse ? undefined : nameOf(src_host, { mayAsk: left > 0 && memo === null })
  const facts = event === null ? undefined : factsOf?.(src_host)
  if (!(name ?? facts)) return message
  const over = Promise.withResolvers<undefined>()
  if (left <= 0) over.resolve(undefined)
  const cancel = left > 0 ? clock.after(left, () => over.resolve(undefined)) : undefined
  // A promise that is fulfilled already wins over the end of the time.
  const [foundName = '', foundFacts] = await Promise.all([
    Promise.race([name, over.promise]),
    Promise.race([facts, over.promise]),
  ])
  cancel?.()
  return {
    ...message,
    src_host_reverse: src_host_reverse || foundName,
    event: foundFacts && event !== null ? withFields(event, foundFacts) : event,
  }
}

/** The event, which is JSON, with further keys. */
const withFields = (event: string, fields: EventFields): string =>
  JSON.stringify({ ...(JSON.parse(event) as EventFields), ...fields })
