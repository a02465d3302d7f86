// Plays a script to our session, without a socket.
import { deriveFrom, SERVED_BIRD, testContext } from '../../../test/session-context.ts'
import { defaultSettings } from '../../../test/default-settings.ts'
import { descriptors } from '../../../src/descriptors.gen.ts'
import { sessionRunner } from '../../../src/session/session-runner.ts'
import type {
  BirdSettings,
  DecoyEvent,
  Reply,
  SessionContext,
  SessionRunner,
} from '../../../src/session/session.ts'
import { sambaConfig } from '../../../src/services/smb/products/samba/config.ts'
import { sambaSession } from '../../../src/services/smb/products/samba/session.ts'
import { dialogue, type Act } from './client.ts'
import { mask } from './mask.ts'

/** The Bird of `serve.ts`, as Samba. */
export const served = (settings: BirdSettings = {}): BirdSettings =>
  defaultSettings(descriptors, {
    'device.name': 'Bird',
    'smb.enabled': true,
    'smb.mode': 'samba',
    ...settings,
  })

/** A connection to our server; what is answered at once is returned. */
export function connectTo(start: SessionRunner, context: SessionContext) {
  const session = start(context)
  const events: DecoyEvent[] = []
  let close: 'open' | 'FIN' | 'RST' = 'open'
  const take = (replies: readonly (Reply | undefined)[]): Buffer => {
    const parts: Buffer[] = []
    for (const reply of replies) {
      const { send = '', events: raised = [], close: how, error, wakeMs } = reply ?? {}
      if (error !== undefined) throw new Error('the session threw', { cause: error })
      events.push(...raised)
      parts.push(Buffer.from(send))
      if (how !== undefined) close = how === 'reset' ? 'RST' : 'FIN'
      if (wakeMs !== undefined) wakesAt = context.now() + wakeMs
    }
    if (session.hasMore) parts.push(take(session.resume()))
    return Buffer.concat(parts)
  }
  let wakesAt = Infinity
  take([session.open()])
  return {
    events,
    close: () => close,
    /** When it wants to be woken, in milliseconds UTC. */
    wakesAt: () => wakesAt,
    receive: (bytes: Buffer): Buffer => (close === 'open' ? take(session.receive(bytes)) : Buffer.alloc(0)),
    wake: (): Buffer => {
      if (wakesAt <= context.now()) wakesAt = Infinity
      return take([session.wake()])
    },
    leave: () => session.closed(),
    keptBytes: () => session.unreadBytes,
  }
}

export function replaySamba(script: readonly Act[], settings: BirdSettings = served()) {
  const start = sessionRunner(sambaSession(sambaConfig(settings)))
  const { events, close, receive } = connectTo(start, testContext({ derive: deriveFrom(SERVED_BIRD) }))
  const talk = dialogue(script)
  let step = talk.next()
  while (!step.done) step = talk.next(receive(step.value.bytes))
  return { text: mask(step.value.join('\n')), close: close(), events }
}
