// Extension: a stream of server-sent events (HTML, section 9.2) that rings when something changed.
import { live } from '@rookery/contract/groups/live.ts'
import { EventStream, implement, type Route } from '@rookery/contract/implement.ts'
import { Fault } from '@rookery/kernel/fault.ts'
import { limit } from '@rookery/kernel/limit.ts'
import type { AppContext } from '../../app-context.ts'
import type { Call } from '../../http/call.ts'
import { openDoorbell, type Doorbell, type Rung } from './doorbell.ts'

/** So that a proxy does not close the stream, and the page notices when one holds it back. */
const HEARTBEAT_MS = 15_000
/** Open streams of this console. */
const STREAMS = limit('live_streams', 1_000)

export function liveRoutes(base: Pick<AppContext, 'reader' | 'config' | 'world' | 'log'>): Route<Call>[] {
  const doorbell = openDoorbell(base)
  let open = 0
  return implement(live, {
    stream(_params, { caller }: Call) {
      if (open >= STREAMS.max) {
        STREAMS.hit()
        throw new Fault('unavailable', `${STREAMS.max} live streams are open already; ask every 5 s instead.`)
      }
      open++
      return Promise.resolve(openStream(base, doorbell, caller, () => void open--))
    },
  })
}

function openStream(
  { world: { clock } }: Pick<AppContext, 'world'>,
  doorbell: Doorbell,
  { scope, keyId, person }: Call['caller'],
  onEnd: () => void,
): EventStream {
  /** Of several rings that wait for a slow reader only the last one counts. */
  let changed: Rung | undefined
  let end: 'signed out' | 'left' | undefined
  let wake: () => void = () => undefined
  const { isListening, leave } = doorbell.listen({
    scope,
    keyId,
    sessionId: person?.sessionId,
    onChanged: (rung) => ((changed = { ...changed, ...rung }), wake()),
    onSignedOut: () => stop('signed out'),
  })

  function stop(why: 'signed out' | 'left'): void {
    if (end !== undefined) return
    end = why
    leave()
    onEnd()
    wake()
  }

  const rung = (): Promise<void> =>
    new Promise((resolve) => {
      const stopTimer = clock.after(HEARTBEAT_MS, resolve)
      wake = () => (stopTimer(), resolve())
      if (changed !== undefined || end !== undefined) wake()
    })

  async function* pieces(): AsyncGenerator<string> {
    await isListening
    yield ': live\n\n'
    for (;;) {
      await rung()
      if (end !== undefined) break
      const rang = changed
      changed = undefined
      yield rang === undefined ? ': heartbeat\n\n' : `event: changed\ndata: ${JSON.stringify(rang)}\n\n`
    }
    if (end === 'signed out') yield 'event: signed-out\ndata: {}\n\n'
  }

  return new EventStream(pieces(), () => stop('left'))
}
