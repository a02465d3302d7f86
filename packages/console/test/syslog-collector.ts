// A collector of syslog on loopback: over TCP, TLS or UDP, with messages as their frames say (RFC 6587, 3.4.1).
import { createSocket } from 'node:dgram'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { createServer as createTlsServer, type TlsOptions } from 'node:tls'
import { onTestFinished } from 'vitest'

export interface SyslogCollector {
  readonly port: number
  readonly messages: readonly string[]
  /** Resolves once so many messages are here. */
  received(count: number): Promise<readonly string[]>
  /** Cuts every connection, as a restart does. */
  cut(): void
}

export async function openSyslogCollector(
  protocol: 'udp' | 'tcp' | 'tls',
  tls: TlsOptions = {},
): Promise<SyslogCollector> {
  const messages: string[] = []
  let watchers: { count: number; resolve: (messages: readonly string[]) => void }[] = []
  const sockets = new Set<Socket>()
  const take = (bytes: Buffer): void => {
    messages.push(bytes.toString('utf8'))
    watchers = watchers.filter(({ count, resolve }) => messages.length < count || void resolve(messages))
  }
  const common = {
    messages,
    received: (count: number) =>
      new Promise<readonly string[]>((resolve) => {
        if (messages.length >= count) resolve(messages)
        else watchers.push({ count, resolve })
      }),
    cut(): void {
      for (const socket of sockets) socket.destroy()
    },
  }
  if (protocol === 'udp') {
    const socket = createSocket('udp4').on('message', take)
    await new Promise<void>((resolve) => void socket.bind(0, '127.0.0.1', resolve))
    onTestFinished(() => void socket.close())
    return { ...common, port: socket.address().port }
  }
  const onSocket = (socket: Socket): void => {
    sockets.add(socket)
    let waiting = Buffer.alloc(0)
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
    socket.on('data', (bytes: Buffer) => {
      waiting = Buffer.concat([waiting, bytes])
      for (;;) {
        const end = waiting.indexOf(' ')
        const length = Number(waiting.subarray(0, Math.max(end, 0)).toString('latin1'))
        if (end < 1 || waiting.length < end + 1 + length) return
        take(waiting.subarray(end + 1, end + 1 + length))
        waiting = waiting.subarray(end + 1 + length)
      }
    })
  }
  const server = protocol === 'tls' ? createTlsServer(tls, onSocket) : createServer(onSocket)
  server.on('tlsClientError', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    common.cut()
    server.close()
  })
  return { ...common, port: (server.address() as AddressInfo).port }
}
