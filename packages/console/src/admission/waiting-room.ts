// Newcomers of sources that have as many connections as they may: each waits until one of them leaves. What a newcomer sends
// stays in its buffer meanwhile.
import type { Socket } from 'node:net'
import { limit } from '@rookery/kernel/limit.ts'
import { bySource } from './by-source.ts'
import { oldestOfBusiest } from './make-room.ts'

export interface Newcomer {
  readonly socket: Socket
  readonly address: string
  readonly source: string
  readonly setUp: () => void
}

/** Newcomers of one source to a listener. */
const OF_SOURCE = limit('connections_waiting_per_source', 256)
/** Of all sources to a listener; with more, the oldest of the source with the most is refused. Each may hold 64 KiB. */
const ALL = limit('connections_waiting', 512)
/** Half a head makes room after two seconds. */
const WAITS_TICKS = 12

export interface WaitingRoomDeps {
  readonly ticks: () => number
  /** Whether there is room for one more of this source. */
  readonly makeRoom: (source: string) => boolean
  readonly enter: (newcomer: Newcomer) => void
  /** Called for those that waited in vain. */
  readonly refuse: (newcomer: Newcomer) => void
}

export function waitingRoom({ ticks, makeRoom, enter, refuse }: WaitingRoomDeps) {
  /** Oldest first, with the tick of their arrival. */
  const waiting = new Map<Newcomer, number>()
  const sources = bySource<Newcomer>()
  const { countOf } = sources

  function remove(newcomer: Newcomer): void {
    waiting.delete(newcomer)
    sources.remove(newcomer.source, newcomer)
  }

  function turnAway(newcomer: Newcomer): void {
    remove(newcomer)
    refuse(newcomer)
  }

  function boundAll(): void {
    if (waiting.size < ALL.max) return
    ALL.hit()
    const oldest = oldestOfBusiest(new Set(waiting.keys()), ({ source }) => countOf(source))
    if (oldest) turnAway(oldest)
  }

  function wait(newcomer: Newcomer): void {
    const { socket, source } = newcomer
    if (countOf(source) >= OF_SOURCE.max) {
      OF_SOURCE.hit()
      return refuse(newcomer)
    }
    boundAll()
    waiting.set(newcomer, ticks())
    sources.add(source, newcomer)
    socket.on('error', () => undefined).once('close', () => remove(newcomer))
  }

  /** Those of this source that wait, as far as there is room. */
  function letIn(source: string | undefined): void {
    if (source === undefined) return
    for (const newcomer of sources.of(source)) {
      if (!makeRoom(source)) return
      remove(newcomer)
      enter(newcomer)
    }
  }

  return {
    size: () => waiting.size,
    letIn,
    /** It enters at once, or waits: nobody overtakes those that wait already. */
    arrive(newcomer: Newcomer): void {
      if (countOf(newcomer.source) > 0 || !makeRoom(newcomer.source)) wait(newcomer)
      else enter(newcomer)
    },
    tick(): void {
      for (const source of sources.sources()) letIn(source)
      for (const [newcomer, since] of waiting) {
        if (ticks() - since < WAITS_TICKS) return
        turnAway(newcomer)
      }
    },
  }
}
