// A world in which time passes only when told, and what a test needs to talk to a host.
import { createHash, randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import type { Clock } from '@rookery/kernel/world.ts'
import { openHost, type Host, type HostOptions } from '../src/host/host.ts'
import type { HostTouch } from '../src/host/house.ts'
import type { SessionContext } from '../src/session.ts'

export interface StillClock extends Clock {
  pass(ms: number): void
  /** Resolves as soon as something waits for a time `ms` or less ahead. */
  awaited(ms: number): Promise<void>
}

export function stillClock(start = Date.UTC(2026, 10, 20, 9, 39, 2)): StillClock {
  let now = start
  const waiting = new Set<{ at: number; wake: () => void }>()
  let watchers: (() => void)[] = []
  return {
    now: () => now,
    after(ms, wake) {
      const entry = { at: now + ms, wake }
      waiting.add(entry)
      for (const look of watchers) look()
      return () => void waiting.delete(entry)
    },
    pass(ms) {
      now += ms
      for (const entry of [...waiting].sort((a, b) => a.at - b.at)) {
        if (entry.at <= now && waiting.delete(entry)) entry.wake()
      }
    },
    awaited: (ms) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (![...waiting].some((entry) => entry.at <= now + ms)) return
          watchers = watchers.filter((other) => other !== look)
          resolve()
        }
        watchers.push(look)
        look()
      }),
  }
}

export const realClock: Clock = {
  now: () => Date.now(),
  after(ms, wake) {
    const timer = setTimeout(wake, ms).unref()
    return () => clearTimeout(timer)
  },
}

/** Bytes of a Bird whose seed is `seed`. */
export const derived =
  (seed: string) =>
  (label: string, length: number): Buffer =>
    createHash('shake256', { outputLength: length }).update(`${seed}/${label}`).digest()

export const someContext = (over: Partial<SessionContext> = {}): SessionContext => ({
  now: () => Date.UTC(2026, 10, 20, 9, 39, 2),
  random: (length) => randomBytes(length),
  derive: derived('bird-1'),
  src: { host: '203.0.113.9', port: 40_000 },
  dst: { host: '192.0.2.1', port: 6379 },
  ...over,
})

export function hostForTests(over: Partial<HostOptions> = {}): { host: Host; touches: HostTouch[] } {
  const touches: HostTouch[] = []
  const host = openHost({
    bind: '127.0.0.1',
    portOffset: 'any',
    clock: realClock,
    random: { bytes: (length) => randomBytes(length) },
    derive: derived('bird-1'),
    emit: (touch) => void touches.push(touch),
    ...over,
  })
  return { host, touches }
}

export const portOf = (host: Host, instance = 'line'): number => {
  const found = host.listening().find((door) => door.instance === instance)
  if (!found) throw new Error(`${instance} does not listen`)
  return found.boundPort
}

export interface Caller {
  readonly socket: Socket
  write(text: string | Buffer): void
  /** Everything received so far, once it matches. */
  until(pattern: RegExp): Promise<string>
  /** Resolves with everything received when the connection is closed; `reset` tells how. */
  readonly closed: Promise<{ text: string; reset: boolean }>
}

export function call(port: number, options: { allowHalfOpen?: boolean } = {}): Caller {
  const socket = connect({ host: '127.0.0.1', port, ...options })
  let text = ''
  let reset = false
  let looks: (() => void)[] = []
  socket.on('data', (bytes) => {
    text += bytes.toString('latin1')
    for (const look of looks) look()
  })
  socket.on('error', () => (reset = true))
  return {
    socket,
    write: (bytes) => void socket.write(bytes),
    until: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (!pattern.test(text)) return
          looks = looks.filter((other) => other !== look)
          resolve(text)
        }
        looks.push(look)
        socket.once('close', () =>
          reject(new Error(`closed before ${String(pattern)}; received ${JSON.stringify(text)}`)),
        )
        look()
      }),
    closed: new Promise((resolve) => socket.once('close', () => resolve({ text, reset }))),
  }
}
