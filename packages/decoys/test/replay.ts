// Plays a corpus to one of our services, without a socket, and compares with what the real server answered.
import type { Conversation, Reply, SessionContext } from '../src/session.ts'
import type { Answer, Probe } from './probe.ts'
import { someContext } from './world.ts'

export function replay(
  probe: Probe,
  converse: (context: SessionContext) => Conversation,
  context: SessionContext = someContext(),
): Answer {
  const conversation = converse(context)
  let text = ''
  let closed = false
  const take = (replies: readonly Reply[]): void => {
    for (const reply of replies) {
      if (reply.thrown !== undefined) throw new Error('the session threw', { cause: reply.thrown })
      if (reply.send)
        text +=
          typeof reply.send === 'string'
            ? Buffer.from(reply.send).toString('latin1')
            : reply.send.toString('latin1')
      if (reply.close) closed = true
    }
    if (conversation.hasMore) take(conversation.resume())
  }
  take([conversation.open()])
  for (const piece of probe.send) if (!closed) take(conversation.receive(Buffer.from(piece, 'latin1')))
  conversation.gone()
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
  converse: () => (context: SessionContext) => Conversation,
  mask: (text: string, name: string) => string,
): Difference[] {
  return probes.flatMap((probe) => {
    const ours = replay(probe, converse())
    const real = answers[probe.name]
    if (!real) return [{ name: probe.name, real: '(not recorded)', ours: ours.text }]
    const spelled = [real, ours].map(
      ({ text, closed }) => mask(text, probe.name) + (closed ? '(closed)' : ''),
    )
    return spelled[0] === spelled[1] ? [] : [{ name: probe.name, real: spelled[0]!, ours: spelled[1]! }]
  })
}
