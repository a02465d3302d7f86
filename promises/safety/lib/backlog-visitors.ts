// Numbered touches of a Redis decoy by many sources, each with its touches in order.
import type { Socket } from 'node:net'
import { connected, passwordOf } from './power/touches.ts'

export interface Visit {
  readonly life: number
  /** Touches to be answered before the visit counts as over. */
  readonly count: number
  /** How wrong the Bird's clock is, milliseconds. */
  readonly offMs?: number
}

export interface Visitors {
  /** Number of an answered touch → from when to when, by the Bird's clock, it must have happened. */
  readonly answered: ReadonlyMap<number, { readonly from: number; readonly to: number }>
  /** Touches until enough are answered; goes on while `kill` runs, and until the decoy is gone. */
  visit(visit: Visit, kill?: () => Promise<void>): Promise<void>
  stop(): void
}

const LANES = 4
/** An incident shows a thousand events, so that each touch can be found again. */
const PER_SOURCE = 800
/** Clocks are read on both sides of a socket. */
const SLACK_MS = 5

/** The lane of a source: within a lane, numbers rise. */
export const laneOf = (source: string): number => Number(source.split('.')[1])

export function openVisitors(port: number): Visitors {
  const answered = new Map<number, { from: number; to: number }>()
  const sockets = new Set<Socket>()
  const nextSource = Array.from({ length: LANES }, () => 0)
  let last = 0

  /** One source; resolves with whether the decoy is still there. */
  async function visitAs(lane: number, offMs: number, isOver: () => boolean): Promise<boolean> {
    const at = (nextSource[lane] = (nextSource[lane] ?? 0) + 1)
    const socket = await connected(port, `127.${lane + 1}.${at >> 8}.${at & 255}`)
    sockets.add(socket)
    return new Promise((resolve) => {
      let left = PER_SOURCE
      let number = 0
      let from = 0
      let isDone = false
      const next = (): void => {
        if (left-- === 0 || isOver()) {
          isDone = true
          return void socket.destroy()
        }
        number = ++last
        from = Date.now() + offMs - SLACK_MS
        socket.write(`AUTH ${passwordOf(number)}\r\n`)
      }
      socket.on('data', () => {
        answered.set(number, { from, to: Date.now() + offMs + SLACK_MS })
        next()
      })
      socket.on('error', () => undefined)
      socket.on('close', () => {
        sockets.delete(socket)
        resolve(isDone)
      })
      next()
    })
  }

  return {
    answered,
    async visit({ count, offMs = 0 }, kill) {
      const enough = answered.size + count
      const isEnough = (): boolean => answered.size >= enough
      // A Bird that is to be killed is touched until then.
      let isOver = false
      // Who has touched enough does not connect once more: a connection that says nothing is an event, too.
      const isDone = (): boolean => isOver || (!kill && isEnough())
      const lanes = Array.from({ length: kill ? LANES : 1 }, async (_, lane) => {
        while (!isDone() && (await visitAs(lane, offMs, isDone)));
      })
      while (!isEnough()) await new Promise((resolve) => setTimeout(resolve, 5))
      await kill?.()
      isOver = true
      await Promise.all(lanes)
    },
    stop: () => sockets.forEach((socket) => socket.destroy()),
  }
}
