// Plays a script to our session, without a socket.
import { deriveFrom, SERVED_BIRD, testContext } from '../../../../../../test/session-context.ts'
import { defaultSettings } from '../../../../../../test/default-settings.ts'
import { descriptors } from '../../../../../descriptors.gen.ts'
import { sessionRunner } from '../../../../../session-runner.ts'
import type { BirdSettings, Reply } from '../../../../../session.ts'
import { sambaConfig } from '../config.ts'
import { sambaSession } from '../session.ts'
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

export function replaySamba(script: readonly Act[], settings: BirdSettings = served()) {
  const start = sessionRunner(sambaSession(sambaConfig(settings)))
  const session = start(testContext({ derive: deriveFrom(SERVED_BIRD) }))
  const events: NonNullable<Reply['events']>[number][] = []
  let close: 'open' | 'FIN' | 'RST' = 'open'
  const take = (replies: readonly Reply[]): Buffer => {
    const parts: Buffer[] = []
    for (const { send = '', events: raised = [], close: how, error } of replies) {
      if (error !== undefined) throw new Error('the session threw', { cause: error })
      events.push(...raised)
      parts.push(Buffer.from(send))
      if (how !== undefined) close = how === 'reset' ? 'RST' : 'FIN'
    }
    if (session.hasMore) parts.push(take(session.resume()))
    return Buffer.concat(parts)
  }
  take([session.open()])
  const talk = dialogue(script)
  let step = talk.next()
  while (!step.done) step = talk.next(close === 'open' ? take(session.receive(step.value.bytes)) : Buffer.alloc(0))
  return { text: mask(step.value.join('\n')), close, events }
}
