// Numbered touches of a Redis decoy, and when each was answered.
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

export interface Toucher {
  /** Number of a touch → when its answer came, `performance.now()`. */
  readonly answeredAt: ReadonlyMap<number, number>
  /** Touches from addresses of its own until the decoy is gone; resolves once they have begun. */
  begin(port: number, life: number): Promise<{ readonly ended: Promise<unknown> }>
  /** One more; resolves with its number once it is answered. */
  one(port: number, life: number): Promise<number>
}

const LANES = 4
const PATIENCE_MS = 20_000

/** The password of a touch: what the stored event shows of it. */
export const passwordOf = (number: number): string => `touch-${number}`

export function openToucher(): Toucher {
  const answeredAt = new Map<number, number>()
  let last = 0

  /** Touches one after the other; ends after one if `isOne`, else with the connection. */
  function touch(socket: Socket, isOne: boolean): Promise<void> {
    let number = 0
    const next = (): void => {
      number = ++last
      socket.write(`AUTH ${passwordOf(number)}\r\n`)
    }
    socket.on('data', () => {
      answeredAt.set(number, performance.now())
      if (isOne) socket.destroy()
      else next()
    })
    socket.on('error', () => undefined)
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
    next()
    return closed
  }

  // An incident shows a thousand events: each life and lane is a source of its own.
  const sourceOf = (life: number, lane: number): string => `127.${1 + (life >> 8)}.${life & 255}.${lane + 1}`
  return {
    answeredAt,
    async begin(port, life) {
      const lanes = Array.from({ length: LANES }, (_, lane) => connected(port, sourceOf(life, lane)))
      const sockets = await Promise.all(lanes)
      return { ended: Promise.all(sockets.map((socket) => touch(socket, false))) }
    },
    async one(port, life) {
      await touch(await connected(port, sourceOf(life, LANES)), true)
      return last
    },
  }
}

/** A Bird that starts takes a moment until its decoys are open. */
export async function connected(port: number, localAddress: string): Promise<Socket> {
  for (const until = performance.now() + PATIENCE_MS; ; await pause(20)) {
    const socket = await attempt(port, localAddress)
    if (socket) return socket
    if (performance.now() > until) throw new Error(`No decoy listens on port ${port}.`)
  }
}

const attempt = (port: number, localAddress: string): Promise<Socket | undefined> =>
  new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, localAddress, noDelay: true })
    socket.once('connect', () => resolve(socket))
    socket.once('error', () => resolve(undefined))
  })
