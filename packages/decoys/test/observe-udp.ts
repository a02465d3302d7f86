// Asks a server over UDP, and notes what a client can tell: the datagrams, the ports that they come from, and when.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Endpoint, Observation } from './observe.ts'

/** A datagram, or what makes it of the answers so far (latin1); undefined ends the dialogue. */
export type DatagramStep = Buffer | ((answers: readonly string[]) => Buffer | undefined)

/** A busy machine may take so long until a server says anything. */
const FIRST_ANSWER_MS = 600

/**
 * Sends each datagram once the one before is answered, or `silenceMs` have passed without an answer. The first goes to the
 * server's port, each further one to where the last answer came from, as in a conversation of TFTP. An answer from another port
 * than the one that was asked last is marked.
 */
export async function observeDatagrams(
  server: Endpoint,
  steps: readonly DatagramStep[],
  silenceMs: number,
): Promise<Observation & { readonly answers: readonly string[] }> {
  const socket = createSocket('udp4')
  const answers: string[] = []
  let text = ''
  let { port } = server
  let sentAt = performance.now()
  let lastAt = sentAt
  socket.on('message', (bytes, from) => {
    lastAt = performance.now()
    const answer = bytes.toString('latin1')
    answers.push(answer)
    text += `${from.port === port ? '' : '[from another port] '}${answer}\n`
    port = from.port
  })
  socket.bind(0, server.from ?? '127.0.0.1')
  await once(socket, 'listening')
  for (const step of steps) {
    const datagram = typeof step === 'function' ? step(answers) : step
    if (!datagram) break
    const before = answers.length
    sentAt = performance.now()
    socket.send(datagram, port, server.host)
    const patienceMs = before === 0 ? Math.max(silenceMs, FIRST_ANSWER_MS) : silenceMs
    while (answers.length === before && performance.now() - sentAt < patienceMs) await sleep(2)
  }
  // What a server sends besides, such as a second datagram.
  while (performance.now() - Math.max(lastAt, sentAt) < silenceMs) await sleep(5)
  socket.close()
  return { text, close: 'open', delayMs: Math.max(0, lastAt - sentAt), answers }
}
