// Asks a server over a socket, message by message.
import { setTimeout as sleep } from 'node:timers/promises'
import { watch, type Endpoint, type Observation } from '../../../test/observe.ts'
import { dialogue, type Act } from './client.ts'
import { framesOf, isSlow, messagesOf } from './describe.ts'

/** Without an answer, a server has none. */
const SILENCE_MS = 250
const FIRST_MS = 900
/** For a close behind the last answer. */
const END_MS = 60

export async function converse(server: Endpoint, acts: readonly Act[], patience = 1): Promise<Observation> {
  const { socket, seen } = watch(server)
  const talk = dialogue(acts)
  let step = talk.next()
  let sentAt = performance.now()
  while (!step.done) {
    const from = seen.text.length
    // A close comes right behind the last answer.
    if (from > 0) await sleep(2 * patience)
    if (seen.close === 'open') socket.write(step.value.bytes)
    sentAt = performance.now()
    const { answers } = step.value
    const count = (): number =>
      framesOf(Buffer.from(seen.text.slice(from), 'latin1'))
        .frames.filter((frame) => !isSlow(frame))
        .reduce((sum, frame) => sum + Math.max(1, messagesOf(frame).length), 0)
    const patienceMs = (answers > 0 ? FIRST_MS : SILENCE_MS) * patience
    while (
      seen.close === 'open' &&
      (answers === 0 || count() < answers) &&
      performance.now() - Math.max(sentAt, Math.min(seen.lastAt, sentAt + 1)) < patienceMs
    )
      await sleep(1)
    step = talk.next(Buffer.from(seen.text.slice(from), 'latin1'))
  }
  const before = seen.text.length
  for (
    const endAt = performance.now() + END_MS * patience;
    seen.close === 'open' && performance.now() < endAt;
  )
    await sleep(4)
  if (seen.close === 'FIN') await sleep(1)
  socket.destroy()
  const late = seen.text.slice(before)
  const text = [
    ...step.value,
    ...(late === '' ? [] : [`late ${Buffer.from(late, 'latin1').toString('hex')}`]),
  ].join('\n')
  return { text, close: seen.close, delayMs: Math.max(0, seen.lastAt - sentAt) }
}
