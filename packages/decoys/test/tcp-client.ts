// A TCP client for tests: writes, and waits for what it expects.
import { connect, type Socket } from 'node:net'

export interface TcpClient {
  readonly socket: Socket
  write(text: string | Buffer): void
  /** Everything received so far, as soon as it matches. Rejects when the connection closes before. */
  until(pattern: RegExp): Promise<string>
  /** Everything received, once the connection is closed; `reset` says whether by a RST. */
  readonly closed: Promise<{ text: string; reset: boolean }>
}

export function connectTo(
  port: number,
  options: { allowHalfOpen?: boolean; localAddress?: string } = {},
): TcpClient {
  const socket = connect({ host: '127.0.0.1', port, ...options })
  let text = ''
  let reset = false
  let checks: (() => void)[] = []
  socket.on('data', (bytes) => {
    text += bytes.toString('latin1')
    for (const check of checks) check()
  })
  socket.on('error', () => (reset = true))
  return {
    socket,
    write: (bytes) => void socket.write(bytes),
    until: (pattern) =>
      new Promise((resolve, reject) => {
        const check = (): void => {
          if (!pattern.test(text)) return
          checks = checks.filter((other) => other !== check)
          resolve(text)
        }
        checks.push(check)
        socket.once('close', () =>
          reject(new Error(`closed before ${String(pattern)}; received ${JSON.stringify(text)}`)),
        )
        check()
      }),
    closed: new Promise((resolve) => socket.once('close', () => resolve({ text, reset }))),
  }
}
