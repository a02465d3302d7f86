// What a client may send to the port of TLS: requests through TLS, hellos of any kind, and what is no TLS at all.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Draw } from '../../../test/draw.ts'
import type { FreshProbe, Grammar } from '../../../test/fresh.ts'
import { observe, watchWithinTls, type Endpoint, type Observation } from '../../../test/observe.ts'
import type { Endurance } from '../../../test/endurance.ts'
import { drawSegments, enduranceOf, shownSegments } from '../../http/requests.ts'
import { grammar as http, vocabulary } from '../../http/apache/grammar.ts'
import { FLIGHT_MASK } from '../describe-flight.ts'
import { drawHello } from '../draw-hello.ts'

const SILENCE_MS = 300

export const grammar: Grammar = {
  masks: [FLIGHT_MASK, ...http.masks],
  concurrency: 4,
  draw(draw) {
    const kind = draw.int(10)
    if (kind < 5) return throughTls(drawSegments(draw, vocabulary), draw)
    return inPlain(kind < 9 ? [drawHello(draw)] : drawSegments(draw, vocabulary))
  },
}

const inPlain = (send: readonly string[]): FreshProbe => ({
  name: `plain ${shownSegments(send)}`,
  ask: (server, patience) => observe(server, send, SILENCE_MS * patience),
})

function throughTls(send: readonly string[], draw: Draw): FreshProbe {
  const version = draw.pick(['TLSv1.2', 'TLSv1.3'] as const)
  return {
    name: `${version} ${shownSegments(send)}`,
    ask: (server, patience) => askThroughTls(server, send, version, SILENCE_MS * patience),
  }
}

async function askThroughTls(
  server: Endpoint,
  send: readonly string[],
  maxVersion: 'TLSv1.2' | 'TLSv1.3',
  silenceMs: number,
): Promise<Observation> {
  const { socket, seen } = watchWithinTls(maxVersion)(server)
  await new Promise<void>((resolve) => socket.once('secureConnect', resolve).once('close', () => resolve()))
  for (const segment of send) {
    if (seen.close === 'open') socket.write(Buffer.from(segment, 'latin1'))
    await sleep(15)
  }
  const sentAt = performance.now()
  const patienceMs = (): number => (seen.lastAt > sentAt ? silenceMs : Math.max(silenceMs, 600))
  while (seen.close === 'open' && performance.now() - Math.max(seen.lastAt, sentAt) < patienceMs())
    await sleep(5)
  socket.destroy()
  return { text: seen.text, close: seen.close, delayMs: Math.max(0, seen.lastAt - sentAt) }
}

/** A hello of TLS 1.2 that each of the servers takes: two ciphers, two signatures, one group. */
const HELLO =
  `\x16\x03\x01\0\x43\x01\0\0\x3f\x03\x03${'r'.repeat(32)}\0\0\x04\xc0\x2f\xc0\x30\x01\0` +
  '\0\x12\0\x0d\0\x06\0\x04\x08\x04\x04\x01\0\x0a\0\x04\0\x02\0\x1d'

export const endurance: Endurance = {
  ...enduranceOf('/login.html'),
  client: {
    watch: watchWithinTls(),
    dripsBefore: [
      { name: 'the end of a hello', first: HELLO.slice(0, -10), rest: HELLO.slice(-10) },
      { name: 'a request without TLS', first: 'GET / HTTP/1.1\r\n', rest: 'Host: a\r\n\r\n' },
    ],
  },
}
