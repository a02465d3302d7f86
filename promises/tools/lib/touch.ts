// Touches that need no tool: a Redis command and a visit to a URL, from any address of 127.0.0.0/8.
import { request } from 'node:http'
import { connect } from 'node:net'

/** Sends one command and answers the first line of what came back; throws when the connection breaks before. */
export function redis(port: number, command: string, from = '127.0.0.1'): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, localAddress: from })
    let text = ''
    socket.on('connect', () => socket.write(`${command}\r\n`))
    socket.on('data', (chunk) => {
      text += chunk.toString()
      if (!text.includes('\r\n')) return
      socket.destroy()
      resolve(text.split('\r\n')[0] ?? '')
    })
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('The connection closed without an answer.')))
  })
}

/** Fetches a URL of this machine and answers the status; throws when the connection breaks before. */
export function visit(url: string, headers: Readonly<Record<string, string>> = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const asking = request(url, { agent: false, headers }, (response) => {
      response.on('error', reject).on('end', () => resolve(response.statusCode ?? 0))
      response.resume()
    })
    asking.on('error', reject).end()
  })
}
