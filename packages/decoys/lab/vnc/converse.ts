// A dialogue with a VNC server, as a client holds it.
import { setTimeout as sleep } from 'node:timers/promises'
import { watch, type Endpoint, type Observation } from '../../test/observe.ts'

const SILENCE_MS = 350

/** Each turn waits until the server is silent, or all are sent at once, or in pieces. */
export async function converse(
  server: Endpoint,
  turns: readonly string[],
  isAtOnce: boolean,
  patience: number,
): Promise<Observation> {
  const { socket, seen } = watch(server)
  const settle = async (ms: number): Promise<void> => {
    const from = performance.now()
    while (seen.close === 'open' && performance.now() - Math.max(from, seen.lastAt) < ms) await sleep(5)
  }
  await settle(SILENCE_MS * patience)
  let sentAt = performance.now()
  for (const turn of turns) {
    if (seen.close !== 'open') break
    sentAt = performance.now()
    socket.write(Buffer.from(turn, 'latin1'))
    await settle(isAtOnce ? 10 * patience : SILENCE_MS * patience)
  }
  await settle(SILENCE_MS * patience)
  if (seen.close === 'FIN') await sleep(1)
  socket.destroy()
  return { text: seen.text, close: seen.close, delayMs: Math.max(0, seen.lastAt - sentAt) }
}
