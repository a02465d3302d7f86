// Ports for programs that must come back on the port that they had.
import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** Outgoing connections take theirs from 32768 on (Linux, `ip_local_port_range`): none takes these while a program restarts. */
export const [FIRST_PORT, PORTS_END] = [10_000, 32_000]
const TRIES = 100

/** A port of 127.0.0.1 that was free a moment ago, and is none of those that a stopped program will take again. */
export async function freePort(except: readonly number[] = []): Promise<number> {
  for (let n = 0; n < TRIES; n++) {
    const port = randomInt(FIRST_PORT, PORTS_END)
    if (!except.includes(port) && (await isFree(port))) return port
  }
  throw new Error(`None of ${TRIES} ports from ${FIRST_PORT} to ${PORTS_END - 1} is free.`)
}

/** Whether a program could listen on this port of 127.0.0.1. */
export function isFree(port: number): Promise<boolean> {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
