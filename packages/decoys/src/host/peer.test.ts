// Connections that are reset before they are accepted, as `nmap -sT` makes them.
import { Worker } from 'node:worker_threads'
import { afterEach, expect, test } from 'vitest'
import { lineListener } from '../../test/line-service.ts'
import { openTestHost, portOf } from '../../test/test-host.ts'
import type { Host } from './host.ts'

const opened: Host[] = []
afterEach(() => Promise.all(opened.splice(0).map((host) => host.close())))

const CLIENT = `
  const { workerData: { address, port, state } } = require('node:worker_threads')
  const socket = require('node:net').connect({ host: address, port }, () => {
    const local = socket.localPort
    socket.resetAndDestroy()
    socket.once('close', () => {
      Atomics.store(state, 0, local)
      Atomics.notify(state, 0)
    })
  })
`
const PATIENCE_MS = 20_000

/** Another thread connects and resets, while this one accepts nothing; answers the port that it came from. */
function connectAndReset(address: string, port: number): number {
  const state = new Int32Array(new SharedArrayBuffer(4))
  const worker = new Worker(CLIENT, { eval: true, workerData: { address, port, state } })
  worker.unref()
  expect(Atomics.wait(state, 0, 0, PATIENCE_MS)).not.toBe('timed-out')
  return Atomics.load(state, 0)
}

test.each([
  ['127.0.0.1', '127.0.0.1', '127.0.0.1'],
  ['::', '127.0.0.1', '127.0.0.1'],
  ['::', '::1', '::1'],
])('on %s, one from %s that was reset before it was accepted is a touch of it', async (bind, to, srcHost) => {
  const { host, touches } = openTestHost({ bind })
  opened.push(host)
  await host.apply([lineListener(6379)])
  const srcPort = connectAndReset(to, portOf(host))
  await expect.poll(() => touches).toHaveLength(1)
  expect(touches).toMatchObject([{ instance: 'line', srcHost, srcPort, dstPort: 6379 }])
})
