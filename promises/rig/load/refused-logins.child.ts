// Puts load on a server of logins: a connection for each, which the server closes behind its refusal.
import { connect } from 'node:net'
import { loadOf, type Load } from './load.ts'
import type { RefusedLogins } from './refused-logins.ts'
import { serveJobs } from './serve-jobs.ts'

async function run({ host, port, connections, login, refusal, ms }: RefusedLogins): Promise<Load> {
  const latencies: number[] = []
  const bytes = Buffer.from(login, 'latin1')
  const startedAt = performance.now()
  const endAt = startedAt + ms
  let [lastAt, received, broken] = [startedAt, 0, 0]

  /** One login; resolves when its connection is closed. */
  const logIn = (): Promise<void> =>
    new Promise((resolve) => {
      const sentAt = performance.now()
      let text = ''
      const socket = connect({ host, port, noDelay: true })
      socket.on('data', (chunk) => {
        if (text === '') socket.write(bytes)
        text += chunk.toString('latin1')
      })
      socket.on('error', () => undefined)
      socket.on('close', () => {
        lastAt = performance.now()
        received += text.length
        if (text.includes(refusal)) latencies.push(lastAt - sentAt)
        else broken += 1
        resolve()
      })
    })

  const lane = async (): Promise<void> => {
    while (performance.now() < endAt) await logIn()
  }
  await Promise.all(Array.from({ length: connections }, lane))
  return loadOf(latencies, { forMs: lastAt - startedAt, bytes: received, broken })
}

serveJobs(run)
