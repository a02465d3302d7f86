// Bytes over a bare socket, as no HTTP client would send them.
import { connect } from 'node:net'

/** Sends bytes as they are; answers everything that comes back until the other side closes. */
export function sendBytes(url: string, bytes: string | Buffer): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    let answer = ''
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true }, () =>
      socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes),
    )
    socket.on('data', (piece: Buffer) => (answer += piece.toString('latin1')))
    socket.on('error', () => undefined)
    socket.on('end', () => socket.destroy())
    socket.on('close', () => resolve(answer))
  })
}
