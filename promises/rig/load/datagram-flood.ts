// Forged WireGuard messages as fast as a process sends them, and how many of them the server read.
import { fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

export interface DatagramJob {
  readonly port: number
  readonly ms: number
}

export interface DatagramFlood {
  /** Read by the server, and not dropped by the system before. */
  readonly perSecond: number
}

interface Sent {
  readonly sent: number
}

/** Floods the port of this machine for so long, and waits until the rest is read. */
export async function floodWithDatagrams(port: number, ms: number): Promise<DatagramFlood> {
  const child = fork(join(import.meta.dirname, 'datagram-flood.child.ts'), {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  try {
    const before = queueOf(port)
    const startedAt = performance.now()
    const { sent } = await new Promise<Sent>((resolve, reject) => {
      child.once('exit', (code) => reject(new Error(`The flood ended with ${code}.`)))
      child.once('message', (answer: Sent) => resolve(answer))
      child.send({ port, ms } satisfies DatagramJob)
    })
    while (queueOf(port).bytes > 0) await pause(1)
    const read = sent - (queueOf(port).drops - before.drops)
    return { perSecond: (1_000 * read) / (performance.now() - startedAt) }
  } finally {
    child.kill()
  }
}

/**
 * What the system says of the socket that is bound to this port (proc(5), `/proc/net/udp`): `local_address` is the second
 * column, `tx_queue:rx_queue` the fifth, `drops` the last.
 */
function queueOf(port: number): { bytes: number; drops: number } {
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  for (const line of readFileSync('/proc/net/udp', 'utf8').split('\n')) {
    const columns = line.trim().split(/\s+/)
    if (columns[1]?.endsWith(local))
      return { bytes: parseInt(columns[4]?.split(':')[1] ?? '', 16), drops: Number(columns.at(-1)) }
  }
  throw new Error(`No UDP socket is bound to port ${port}.`)
}
