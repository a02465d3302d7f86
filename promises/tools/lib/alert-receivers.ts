// Receivers of alerts in the network of a machine: each answers the first that it gets.
import { spawn } from 'node:child_process'
import { nodePath } from '../../../tools/clone.mjs'

export interface AlertReceiver {
  /** The whole body, or for syslog the first frame. */
  readonly first: Promise<string>
  close(): void
}

/** For a webhook: answers 200, `ok`, as chats do. */
export const openWebhook = (pid: number, port: number): AlertReceiver =>
  serve(
    pid,
    `require('http').createServer((q, s) => { let t = ''; q.on('data', (d) => t += d).on('end', () => { console.log(t); s.end('ok') }) }).listen(${port})`,
  )

/** For syslog over TLS, with the certificate and the key of two files in PEM. */
export const openSyslog = (
  pid: number,
  { port, cert, key }: { readonly port: number; readonly cert: string; readonly key: string },
): AlertReceiver =>
  serve(
    pid,
    `const { readFileSync: r } = require('fs'); require('tls').createServer({ cert: r('${cert}'), key: r('${key}') }, (s) => s.on('data', (d) => console.log(String(d)))).listen(${port})`,
  )

function serve(pid: number, code: string): AlertReceiver {
  const child = spawn('nsenter', ['--target', String(pid), '--net', nodePath(), '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const first = new Promise<string>((resolve) =>
    child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString())),
  )
  return { first, close: () => child.kill() }
}
