// Serves a fake of a provider on loopback, for programs that nobody here wrote.
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { HttpAnswer } from '../../src/channels/http/visit.ts'
import type { FakeRequest } from './outbound.ts'

export interface FakeServer {
  /** Without a path. */
  readonly url: string
  close(): Promise<void>
}

export async function serveFake(answer: (request: FakeRequest) => HttpAnswer): Promise<FakeServer> {
  const server = createServer((request, response) => {
    void read(request).then((body) => {
      const { method = '', url: path = '' } = request
      const { status, headers, body: answered } = answer({ method, path, headers: titled(request), body })
      response.writeHead(status, headers).end(answered)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

/** Names in title case, as channels have them. */
const titled = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase()),
      String(value),
    ]),
  )
