// Replays a corpus to one of our services, without a socket, and compares with the recorded answers of the real server.
import type { Reply, SessionContext, SessionRunner } from '../src/session/session.ts'
import type { Answer, Probe } from './probe.ts'
import { sentBytes } from './sent-bytes.ts'
import { testContext } from './session-context.ts'

/** The recorder waits so long behind each segment (`record.ts`). */
const BETWEEN_SEGMENTS_MS = 20
/** And so long behind the last one. */
const AT_END_MS = 600

export function replay(
  probe: Probe,
  startSession: SessionRunner,
  context: SessionContext = testContext(),
): Answer {
  const session = startSession(context)
  let text = ''
  let closed = false
  let wakeMs = Infinity
  const collect = (replies: readonly Reply[]): void => {
    const isDiscarded = replies.at(-1)?.close === 'discard'
    for (const reply of replies) {
      const { error, close, wakeMs: next = wakeMs } = reply
      wakeMs = next
      if (error !== undefined) throw new Error('the session threw', { cause: error })
      if (!isDiscarded) text += sentBytes(reply).toString('latin1')
      if (close) closed = true
    }
    if (session.hasMore) collect(session.resume())
  }
  collect([session.open()])
  for (const [at, segment] of probe.send.entries()) {
    if (closed) break
    collect(session.receive(Buffer.from(segment, 'latin1')))
    const waitedMs = at < probe.send.length - 1 ? BETWEEN_SEGMENTS_MS : AT_END_MS
    const woken = !closed && wakeMs <= waitedMs && session.wake()
    if (woken) collect([woken])
  }
  session.closed()
  return { text, closed }
}

export interface Difference {
  readonly name: string
  readonly real: string
  readonly ours: string
}

/** The probes that we answer otherwise than the real server, after masking. */
export function differences(
  probes: readonly Probe[],
  answers: Readonly<Record<string, Answer>>,
  service: () => SessionRunner,
  mask: (text: string, name: string) => string,
): Difference[] {
  return probes.flatMap(({ name, send }) => {
    const answer = replay({ name, send }, service())
    const recorded = answers[name]
    if (!recorded) return [{ name, real: '(not recorded)', ours: answer.text }]
    const [real, ours] = [recorded, answer].map(
      ({ text, closed }) => mask(text, name) + (closed ? '(closed)' : ''),
    ) as [string, string]
    return real === ours ? [] : [{ name, real, ours }]
  })
}
