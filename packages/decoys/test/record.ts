// Records what a real server answers to a corpus: `node test/record.ts <service> <host> <port> [quiet ms]`, with the
// server of the claimed version listening there. Writes services/<service>/golden/answers.json.
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Answer, Probe } from './probe.ts'

const [service = '', host = '', port = '', quiet = '60'] = process.argv.slice(2)
const folder = new URL(`../src/services/${service}/golden/`, import.meta.url)
const corpus = (await import(new URL('corpus.ts', folder).href)) as {
  probes: readonly Probe[]
  /** Puts the real server back into its first state. */
  reset?: string
  /** Probes that may run at a time; 1 when they share state. */
  atOnce?: number
}

const answers: Record<string, Answer> = {}
const waiting = [...corpus.probes]
await Promise.all(
  Array.from({ length: corpus.atOnce ?? 1 }, async () => {
    for (let probe = waiting.shift(); probe; probe = waiting.shift()) {
      if (corpus.reset) await ask([corpus.reset])
      answers[probe.name] = await ask(probe.send)
    }
  }),
)
const inOrder = Object.fromEntries(corpus.probes.map(({ name }) => [name, answers[name]!]))
writeFileSync(new URL('answers.json', folder), JSON.stringify(inOrder, null, 1) + '\n')
console.log(`${corpus.probes.length} answers recorded`)

async function ask(send: readonly string[]): Promise<Answer> {
  const socket = connect({ host, port: Number(port), noDelay: true, allowHalfOpen: true })
  let text = ''
  let closed = false
  let lastAt = performance.now()
  const touch = (): void => void (lastAt = performance.now())
  socket.on('data', (bytes) => {
    text += bytes.toString('latin1')
    touch()
  })
  socket.on('error', () => (closed = true))
  socket.on('end', () => (closed = true))
  socket.on('connect', touch)
  for (const piece of send) {
    await pause(Math.min(20, Number(quiet)))
    if (!closed) socket.write(Buffer.from(piece, 'latin1'))
    touch()
  }
  while (!closed && performance.now() - lastAt < Number(quiet)) await pause(5)
  socket.destroy()
  return { text, closed }
}
