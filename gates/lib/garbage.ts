// Garbage at ports that speak no HTTP of ours: the link, the decoys, and where tokens log in.
import { connect } from 'node:net'
import { mysqlLogin, postgresStart } from '@rookery/tokens/test/login-packets.ts'
import { WebSocket } from 'ws'
import type { Dice } from './dice.ts'

/** What a protocol begins with, to be spoiled; bytes alone are refused too soon to be a test. */
const BEGINNINGS: readonly string[] = [
  'GET / HTTP/1.1\r\nHost: x\r\n\r\n',
  'POST /login HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999\r\n\r\nusername=a&password=b',
  'POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nfffffffff\r\n',
  '*2\r\n$4\r\nAUTH\r\n$4\r\nroot\r\n',
  '*-1\r\n$99999999999\r\n',
  '*1000000\r\n',
  'USER root\r\nPASS toor\r\nQUIT\r\n',
  'USER \r\nPASS\r\nPORT 1,2,3,4,5,6,7\r\n',
  'SSH-2.0-OpenSSH_9.9\r\n',
  'SSH-1.5-x\r\n',
  mysqlLogin({ user: 'root', attributes: { _os: 'Linux' } }).toString('latin1'),
  postgresStart({ user: 'postgres', database: 'crm' }).toString('latin1'),
  // The beginning of a login to MySQL that is long.
  '\xff\xff\xff\x01\x84\xa2\x0a\0',
  '',
]

/** Bytes that a session might begin with, some of them changed, and more behind them. */
export function garbage(dice: Dice): Buffer {
  const bytes = Buffer.concat([
    Buffer.from(BEGINNINGS[dice.between(0, BEGINNINGS.length - 1)] ?? '', 'latin1'),
    Buffer.from(Array.from({ length: dice.between(0, 200) }, () => dice.between(0, 255))),
    dice.between(0, 50) === 0 ? Buffer.alloc(dice.between(10_000, 300_000), 'A') : Buffer.alloc(0),
  ])
  for (let n = dice.between(0, 4); n > 0 && bytes.length > 0; n--)
    bytes[dice.between(0, bytes.length - 1)] = dice.between(0, 255)
  return bytes
}

const PATIENCE_MS = 150

/** Sends it, reads the answer for a moment, and disconnects; rejects when no process listens. */
export function sendGarbage(port: number, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    let isOpen = false
    const socket = connect(port, '127.0.0.1', () => {
      isOpen = true
      socket.write(bytes)
    })
    const timer = setTimeout(() => socket.destroy(), PATIENCE_MS)
    socket.on('data', () => undefined)
    socket.on('error', (error) => (isOpen ? undefined : reject(error)))
    socket.on('close', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

/** A Bird that speaks nonsense: messages of any length instead of a handshake. */
export function sendToLink(port: number, dice: Dice): Promise<void> {
  const messages = Array.from({ length: dice.between(1, 5) }, () => garbage(dice))
  return new Promise((resolve) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/bird/v1/link`, { perMessageDeflate: false })
    const timer = setTimeout(() => socket.terminate(), PATIENCE_MS * 4)
    socket.on('error', () => undefined)
    socket.on('open', () => {
      for (const message of messages) socket.send(message, { binary: dice.between(0, 3) > 0 })
    })
    socket.on('close', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
