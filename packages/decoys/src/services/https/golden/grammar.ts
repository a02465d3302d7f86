// What a client may send to the port of TLS: requests through TLS, hellos of any kind, and what is no TLS at all.
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from 'node:tls'
import type { Draw } from '../../../../test/draw.ts'
import type { FreshProbe, Grammar } from '../../../../test/fresh.ts'
import { observe, type Endpoint, type Observation } from '../../../../test/observe.ts'
import { drawSegments, shownSegments } from '../../http/golden/requests.ts'
import { grammar as http, vocabulary } from '../../http/servers/apache/golden/grammar.ts'
import { describeFlight } from '../testing/describe-flight.ts'
import { drawHello } from '../testing/draw-hello.ts'

const SILENCE_MS = 300

export const grammar: Grammar = {
  masks: http.masks,
  concurrency: 4,
  draw(draw) {
    const kind = draw.int(10)
    if (kind < 5) return throughTls(drawSegments(draw, vocabulary), draw)
    return inPlain(kind < 9 ? [drawHello(draw)] : drawSegments(draw, vocabulary))
  },
}

const inPlain = (send: readonly string[]): FreshProbe => ({
  name: `plain ${shownSegments(send)}`,
  ask: async (server, patience) => {
    const seen = await observe(server, send, SILENCE_MS * patience)
    return { ...seen, text: describeFlight(seen.text) }
  },
})

function throughTls(send: readonly string[], draw: Draw): FreshProbe {
  const version = draw.pick(['TLSv1.2', 'TLSv1.3'] as const)
  return {
    name: `${version} ${shownSegments(send)}`,
    ask: (server, patience) => askThroughTls(server, send, version, SILENCE_MS * patience),
  }
}

async function askThroughTls(
  { host, port, from }: Endpoint,
  send: readonly string[],
  maxVersion: 'TLSv1.2' | 'TLSv1.3',
  silenceMs: number,
): Promise<Observation> {
  const socket = connect({
    host,
    port,
    maxVersion,
    rejectUnauthorized: false,
    ...(from && { localAddress: from }),
  })
  const seen = { text: '', close: 'open' as Observation['close'], lastAt: performance.now() }
  const note = (): void => void (seen.lastAt = performance.now())
  socket.on('data', (bytes: Buffer) => {
    seen.text += bytes.toString('latin1')
    note()
  })
  socket.on('end', () => ((seen.close = 'FIN'), note()))
  socket.on('error', () => ((seen.close = seen.close === 'open' ? 'RST' : seen.close), note()))
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
