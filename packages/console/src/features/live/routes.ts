// Extension: a stream of server-sent events (HTML, section 9.2) that rings when something changed.
import { live } from '@rookery/contract/groups/live.ts'
import { EventStream, implement, type Route } from '@rookery/contract/implement.ts'
import { Fault } from '@rookery/kernel/fault.ts'
import { limit } from '@rookery/kernel/limit.ts'
import type { AppContext } from '../../app-context.ts'
import type { Call } from '../../http/call.ts'
import { openDoorbell, type Doorbell } from './doorbell.ts'

/** So that a proxy does not close the stream, and the page notices when one holds it back. */
const HEARTBEAT_MS = 15_000
/** Open streams of this console. */
const STREAMS = limit('live_streams', 1_000)

export function liveRoutes(base: Pick<AppContext, 'reader' | 'world' | 'log'>): Route<Call>[] {
  const doorbell = openDoorbell(base)
  let open = 0
  return implement(live, {
    stream(_params, { caller }: Call) {
      if (open >= STREAMS.max) {
        STREAMS.hit()
        throw new Fault('unavailable', `${STREAMS.max} live streams are open already; ask every 5 s instead.`)
      }
      const pieces = events(base, doorbell, caller.person?.sessionId, {
        onOpen: () => void open++,
        onClose: () => void open--,
      })
      return Promise.resolve(new EventStream(pieces))
    },
  })
}

interface StreamHooks {
  readonly onOpen: () => void
  readonly onClose: () => void
}

async function* events(
  { world: { clock } }: Pick<AppContext, 'world'>,
  doorbell: Doorbell,
  sessionId: string | undefined,
  { onOpen, onClose }: StreamHooks,
): AsyncGenerator<string> {
  /** Of several rings that wait for a slow reader only the last one counts. */
  let changed: number | undefined
  let isSignedOut = false
  let wake: () => void = () => undefined
  const leave = doorbell.listen({
    sessionId,
    onChanged: (updatedId) => ((changed = updatedId), wake()),
    onSignedOut: () => ((isSignedOut = true), wake()),
  })
  onOpen()
  try {
    yield ': live\n\n'
    while (!isSignedOut) {
      await new Promise<void>((resolve) => {
        const stop = clock.after(HEARTBEAT_MS, resolve)
        wake = () => (stop(), resolve())
        if (changed !== undefined || isSignedOut) wake()
      })
      if (isSignedOut) break
      const rung = changed
      changed = undefined
      yield rung === undefined ? ': heartbeat\n\n' : `event: changed\ndata: {"incidents":${rung}}\n\n`
    }
    yield 'event: signed-out\ndata: {}\n\n'
  } finally {
    leave()
    onClose()
  }
}
