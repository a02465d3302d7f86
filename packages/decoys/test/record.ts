// Records what a real server answers to a corpus: `node test/record.ts <folder of lab> <host> <port> [silence ms]`. The server
// of the claimed version must listen there. An answer is whole after so much silence.
// Writes lab/<folder>/answers.json, such as lab/ftp/vsftpd/answers.json.
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { observeDatagrams } from './observe-udp.ts'
import type { Answer, Probe } from './probe.ts'

const [name = '', host = '', port = '', silence = '60'] = process.argv.slice(2)
const silenceMs = Number(silence)
const folder = new URL(`../lab/${name}/`, import.meta.url)
const corpus = (await import(new URL('corpus.ts', folder).href)) as {
  probes: readonly Probe[]
  /** Resets the real server's state before each probe: what is sent for it, or what does it. */
  reset?: string | ((server: { host: string; port: number }) => Promise<void>)
  /** Probes that may run at a time; 1 when they share state. */
  concurrency?: number
  /** Each piece of a probe is a datagram. */
  transport?: 'udp'
}

const answers: Record<string, Answer> = {}
const waiting = [...corpus.probes]
await Promise.all(
  Array.from({ length: corpus.concurrency ?? 1 }, async () => {
    for (let probe = waiting.shift(); probe; probe = waiting.shift()) {
      if (typeof corpus.reset === 'string') await ask([corpus.reset])
      else await corpus.reset?.({ host, port: Number(port) })
      answers[probe.name] = await (corpus.transport === 'udp' ? askByUdp : ask)(probe.send)
    }
  }),
)
const inOrder = Object.fromEntries(corpus.probes.map(({ name }) => [name, answers[name]!]))
writeFileSync(new URL('answers.json', folder), JSON.stringify(inOrder, null, 1) + '\n')
console.log(`${corpus.probes.length} answers recorded`)

async function askByUdp(send: readonly string[]): Promise<Answer> {
  const steps = send.map((text) => Buffer.from(text, 'latin1'))
  const { answers } = await observeDatagrams({ host, port: Number(port) }, steps, silenceMs)
  return { text: answers.join(''), closed: false }
}

async function ask(send: readonly string[]): Promise<Answer> {
  const socket = connect({ host, port: Number(port), noDelay: true, allowHalfOpen: true })
  let text = ''
  let closed = false
  let lastAt = performance.now()
  const noteActivity = (): void => void (lastAt = performance.now())
  socket.on('data', (bytes) => {
    text += bytes.toString('latin1')
    noteActivity()
  })
  socket.on('error', () => (closed = true))
  socket.on('end', () => (closed = true))
  socket.on('connect', noteActivity)
  for (const segment of send) {
    await sleep(Math.min(20, silenceMs))
    if (!closed) socket.write(Buffer.from(segment, 'latin1'))
    noteActivity()
  }
  while (!closed && performance.now() - lastAt < silenceMs) await sleep(5)
  socket.destroy()
  return { text, closed }
}
