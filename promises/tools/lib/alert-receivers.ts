// Receivers of alerts in the network of a machine: each answers the first that it gets.
import { spawn } from 'node:child_process'
import type { Issued } from '../../../packages/console/test/certificates.ts'
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

/** For syslog over TLS. */
export const openSyslog = (pid: number, port: number, { cert, key }: Issued): AlertReceiver =>
  serve(
    pid,
    `require('tls').createServer(${JSON.stringify({ cert, key })}, (s) => s.on('data', (d) => console.log(String(d)))).listen(${port})`,
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
