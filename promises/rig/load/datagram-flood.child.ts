// Sends messages that look like a handshake's first, under MACs that fit no key.
import { randomBytes } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { INITIATION } from '../../../packages/tokens/src/channels/wireguard/noise.ts'
import type { DatagramJob } from './datagram-flood.ts'
import { serveJobs } from './serve-jobs.ts'

const SOCKETS = 8
const IN_FLIGHT = 32

async function run({ port, ms }: DatagramJob): Promise<number> {
  const messages = Array.from({ length: 1_000 }, () => {
    const message = randomBytes(INITIATION.end)
    message.writeUInt32LE(INITIATION.type)
    return message
  })
  const until = performance.now() + ms
  let sent = 0
  const lane = async (_: unknown, n: number): Promise<void> => {
    const socket = createSocket('udp4')
    await new Promise<void>((resolve) => socket.bind(0, `127.1.${n}.1`, resolve))
    while (performance.now() < until) {
      await Promise.all(
        Array.from(
          { length: IN_FLIGHT },
          () =>
            new Promise<void>((resolve) =>
              socket.send(messages[sent % 1_000] ?? '', port, '127.0.0.1', (error) => {
                if (!error) sent++
                resolve()
              }),
            ),
        ),
      )
    }
    socket.close()
  }
  await Promise.all(Array.from({ length: SOCKETS }, lane))
  return sent
}

serveJobs(async (job: DatagramJob) => ({ sent: await run(job) }))
