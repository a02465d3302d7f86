// Holds a dialogue with a session, without a socket and on a clock of its own.
import type { DecoyEvent, Reply, SessionRunner } from '../../src/session/session.ts'
import { sentBytes } from '../../test/sent-bytes.ts'
import { testContext } from '../../test/session-context.ts'
import { isAnswered, type Dialogue, type Transcript, type Turn } from './dialogue.ts'

/** A session that waits longer than this waits for its client; where a turn awaits nothing, PAM takes longer, too. */
const patienceMs = ({ awaits }: Turn): number => (awaits === undefined ? 350 : 10_000)

export interface Replayed extends Transcript {
  readonly events: readonly DecoyEvent[]
}

export function replayDialogue({ turns }: Dialogue, startSession: SessionRunner): Replayed {
  let now = Date.UTC(2026, 10, 20, 9, 39, 2)
  const session = startSession(testContext({ now: () => now }))
  const events: DecoyEvent[] = []
  let [text, closed] = ['', false]
  let wakeMs: number | undefined
  const collect = (replies: readonly Reply[]): void => {
    for (const reply of replies) {
      if (reply.error !== undefined) throw new Error('the session threw', { cause: reply.error })
      text += sentBytes(reply).toString('latin1')
      events.push(...(reply.events ?? []))
      closed ||= reply.close !== undefined
      wakeMs = reply.wakeMs ?? wakeMs
    }
    if (session.hasMore) collect(session.resume())
  }
  collect([session.open()])
  const said: string[] = []
  for (const turn of turns) {
    if (closed) break
    if (turn.send) collect(session.receive(Buffer.from(turn.send, 'latin1')))
    while (!closed && wakeMs !== undefined && wakeMs < patienceMs(turn) && !isAnswered(turn, text)) {
      now += wakeMs
      collect([session.wake() ?? {}])
    }
    said.push(text)
    text = ''
  }
  session.closed()
  return { said, closed, events }
}
