// Puts load on a server of a line protocol: raw sockets, requests built beforehand, one round in flight on each connection.
import { connect } from 'node:net'
import type { Dialogue } from './dialogue.ts'
import { loadOf, type Load } from './load.ts'
import { serveJobs } from './serve-jobs.ts'

const LF = 10

async function run(dialogue: Dialogue): Promise<Load> {
  const turns = dialogue.turns.map(({ send, ...end }) => ({ bytes: Buffer.from(send, 'latin1'), ...end }))
  const latencies: number[] = []
  const startedAt = performance.now()
  const endAt = startedAt + dialogue.ms
  let [lastAt, bytes, broken] = [startedAt, 0, 0]

  /** One connection; resolves when it is closed. */
  const converse = (): Promise<void> =>
    new Promise((resolve) => {
      const socket = connect({ host: dialogue.host, port: dialogue.port, noDelay: true })
      let awaited: number | string = dialogue.greeting
      let said = ''
      let [turn, round, sentAt] = [-1, 0, 0]
      const next = (): void => {
        turn += 1
        if (turn === turns.length) {
          lastAt = performance.now()
          latencies.push(lastAt - sentAt)
          round += 1
          turn = 0
          if (round === dialogue.rounds || lastAt >= endAt) return void socket.destroy()
        }
        if (turn === 0) sentAt = performance.now()
        const asked = turns[turn]!
        awaited = 'lines' in asked ? asked.lines : asked.awaits
        said = ''
        socket.write(asked.bytes)
      }
      socket.on('connect', () => awaited === 0 && next())
      socket.on('data', (chunk) => {
        bytes += chunk.length
        if (typeof awaited === 'string') {
          said += chunk.toString('latin1')
          if (said.includes(awaited)) next()
          return
        }
        for (let at = chunk.indexOf(LF); at >= 0; at = chunk.indexOf(LF, at + 1)) awaited -= 1
        if (awaited === 0) next()
      })
      socket.on('error', () => broken++)
      socket.on('end', () => {
        broken += 1
        socket.destroy()
      })
      socket.on('close', () => resolve())
    })

  const lane = async (): Promise<void> => {
    while (performance.now() < endAt) await converse()
  }
  await Promise.all(Array.from({ length: dialogue.connections }, lane))
  return loadOf(latencies, { hitsEach: dialogue.hits, forMs: lastAt - startedAt, bytes, broken })
}

serveJobs(run)
