// Lines over TLS for tests of the host, and OpenSSL as their client.
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { connect as connectTls, type ConnectionOptions, type TLSSocket } from 'node:tls'
import { openSsl30 } from '../src/machine/openssl-3.0.ts'
import { machineCertificate } from '../src/machine/machine-certificate.ts'
import { storyOf } from '../src/machine/story.ts'
import type { SessionDefinition } from '../src/session/session.ts'
import type { TlsServer } from '../src/session/tls-server.ts'
import { lines } from './line-service.ts'
import { deriveFrom } from './session-context.ts'

const derive = deriveFrom('bird-1')

export const testTls: TlsServer = {
  profile: {
    name: 'test',
    ...openSsl30({ hasTickets: false, hasDiffieHellman: true }),
    alpn: { protocols: ['http/1.1'], otherwise: 'ignore' },
    sessionSeconds: 300,
  },
  certificate: machineCertificate(
    { ...storyOf({}, derive), hostName: 'line.lan' },
    derive,
    Date.UTC(2026, 0, 1),
  ),
  handshakeMs: 5_000,
}

/** Says hello once the connection is encrypted; `STARTTLS` asks for it in the middle, `STOPTLS` ends it there. */
export const secureLines = (isAtOnce: boolean, server = testTls): SessionDefinition<number, string> => ({
  ...lines,
  open: () => (isAtOnce ? { state: 0, tls: server } : { state: 0, send: 'hello\n' }),
  secured: (state, context) => ({ state, send: `secured ${JSON.stringify(context.tls)}\n` }),
  tlsFailed: (state, { code, firstBytes }) => ({
    state,
    send: `${code} after ${firstBytes.length}\n`,
    close: 'end',
  }),
  step(state, line, context) {
    if (line === 'STARTTLS') return { state, send: 'go ahead\n', tls: server }
    if (line === 'STOPTLS') return { state, send: 'plain again\n', tls: 'off' }
    return lines.step(state, line, context)
  },
})

/** Resolves with all that came as soon as it matches. */
export function readFrom(socket: TLSSocket) {
  let text = ''
  socket.on('data', (bytes) => (text += bytes.toString()))
  socket.on('error', () => {})
  return async (pattern: RegExp): Promise<string> => {
    while (!pattern.test(text)) await once(socket, 'data')
    return text
  }
}

export const OLD_TLS = { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-RSA-AES128-GCM-SHA256' } as const

export const tlsClient = (options: ConnectionOptions): TLSSocket =>
  connectTls({ host: '127.0.0.1', rejectUnauthorized: false, ...options })

/** The ClientHello of OpenSSL. */
export async function firstFlight(): Promise<Buffer> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const socket = tlsClient({ port })
  socket.on('error', () => {})
  const [peer] = (await once(server, 'connection')) as [Socket]
  const [bytes] = (await once(peer, 'data')) as [Buffer]
  peer.destroy()
  server.close()
  return bytes
}
