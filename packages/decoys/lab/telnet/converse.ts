// Holds a dialogue with a server over TCP.
import { setTimeout as sleep } from 'node:timers/promises'
import { watch, type Endpoint, type Observation } from '../../test/observe.ts'
import { isAnswered, type Dialogue, type Transcript } from './dialogue.ts'

/** Silence that ends a turn that awaits nothing. */
const SILENCE_MS = 350
/** How long a turn waits for what it awaits: PAM takes up to 4.5 s. */
const PATIENCE_MS = 6_500

type Conversation = Transcript & Pick<Observation, 'close' | 'delayMs'>

/** `patience` stretches the times. `delayMs` is that of the last turn. */
export async function converse(server: Endpoint, { turns }: Dialogue, patience = 1): Promise<Conversation> {
  const { socket, seen } = watch(server)
  const said: string[] = []
  let delayMs = 0
  for (const turn of turns) {
    if (seen.close !== 'open') break
    const from = seen.text.length
    const sentAt = performance.now()
    if (turn.send) socket.write(Buffer.from(turn.send, 'latin1'))
    const isOver = (): boolean => {
      const silentMs = performance.now() - Math.max(seen.lastAt, sentAt)
      const mostMs = turn.awaits === undefined ? SILENCE_MS * patience : PATIENCE_MS
      return seen.close !== 'open' || isAnswered(turn, seen.text.slice(from)) || silentMs >= mostMs
    }
    while (!isOver()) await sleep(5)
    said.push(seen.text.slice(from))
    delayMs = Math.max(0, seen.lastAt - sentAt)
  }
  // A reset comes right behind the last bytes, and may be read after them.
  if (seen.close === 'FIN') await sleep(1)
  socket.destroy()
  return { said, closed: seen.close !== 'open', close: seen.close, delayMs }
}
