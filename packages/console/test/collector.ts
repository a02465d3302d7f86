// An event collector: a real HTTPS server on loopback that indexes events, and acknowledges them if the test asks for it.
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { makeAuthority } from './certificates.ts'

export interface Indexed {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly json: Readonly<Record<string, unknown>>
}

export interface Collector {
  readonly port: number
  /** PEM of the authority that certified it. */
  readonly ca: string
  readonly events: readonly Indexed[]
  /** Questions after acknowledgements. */
  readonly questions: readonly Indexed[]
  /** How many questions are still answered with `false`. */
  hesitate(times: number): void
  /** The next event is answered with this status and text. */
  refuseOnce(status: number, text: string): void
  /** Resolves once so many events are here. */
  indexed(count: number): Promise<readonly Indexed[]>
}

export const TOKEN = 'b3e1f7a4-52c0-4d86-9c0e-7a6f0d1b2c3d'

export async function openCollector({ acknowledges = false } = {}): Promise<Collector> {
  const { ca, key, cert } = makeAuthority()
  const events: Indexed[] = []
  const questions: Indexed[] = []
  let doubts = 0
  let refusal: { status: number; text: string } | undefined
  let watchers: { count: number; resolve: (events: readonly Indexed[]) => void }[] = []

  function answer(asked: Indexed): { status: number; body: object } {
    const [path] = asked.path.split('?')
    if (asked.headers['authorization'] !== `Splunk ${TOKEN}`)
      return { status: 403, body: { text: 'Invalid token', code: 4 } }
    if (acknowledges && !/^[0-9a-f-]{36}$/.test(asked.headers['x-splunk-request-channel'] ?? ''))
      return { status: 400, body: { text: 'Data channel is missing', code: 10 } }
    if (path === '/services/collector/ack' && acknowledges) {
      questions.push(asked)
      const acks = (asked.json['acks'] as number[]).map((id) => [id, doubts <= 0])
      doubts--
      return { status: 200, body: { acks: Object.fromEntries(acks) as object } }
    }
    if (path !== '/services/collector/event') return { status: 404, body: { text: 'Not found', code: 404 } }
    if (refusal) {
      const { status, text } = refusal
      refusal = undefined
      return { status, body: { text, code: 9 } }
    }
    events.push(asked)
    return {
      status: 200,
      body: { text: 'Success', code: 0, ...(acknowledges && { ackId: events.length - 1 }) },
    }
  }

  const server = createServer({ key, cert }, (request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const json = JSON.parse(Buffer.concat(pieces).toString('utf8')) as Indexed['json']
      const headers = request.headers as Record<string, string>
      const { status, body } = answer({ path: request.url ?? '', headers, json })
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
      watchers = watchers.filter(({ count, resolve }) => events.length < count || void resolve(events))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    port: (server.address() as AddressInfo).port,
    ca,
    events,
    questions,
    hesitate: (times) => void (doubts = times),
    refuseOnce: (status, text) => void (refusal = { status, text }),
    indexed: (count) =>
      new Promise((resolve) => {
        if (events.length >= count) resolve(events)
        else watchers.push({ count, resolve })
      }),
  }
}
