// The Bird's side of the link for tests: the initiator, frame by frame, over a real WebSocket.
import { randomBytes } from 'node:crypto'
import { onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { parseEnrolment } from '@rookery/link/enrolment.ts'
import type { Body, Frame, FrameKind, SpooledEvent } from '@rookery/link/messages.ts'
import { keyPair, type KeyPair } from '@rookery/link/noise/keys.ts'
import { session } from '@rookery/link/session.ts'
import { systemClock, systemRandom } from '../src/world/system.ts'
import type { TestConsole } from './test-console.ts'

export interface TestBird {
  readonly key: KeyPair
  readonly consoleKey: Buffer
  /** Frames of the console, in order. */
  readonly received: readonly Frame[]
  send(frame: Frame): void
  /** The first frame of that kind, the `nth` of them. */
  receives<K extends FrameKind>(kind: K, nth?: number): Promise<Body<K>>
  /** Reads nothing more, until `resume`. */
  pause(): void
  resume(): void
  /** Resolves when the connection has ended. */
  readonly closed: Promise<void>
  close(): Promise<void>
}

export const SPOOL = '0'.repeat(31) + '1'
const BOOT = '0'.repeat(31) + '2'

export const newKey = (): KeyPair => keyPair(randomBytes(32))

export const hello = (change: Partial<Body<'HELLO'>> = {}): Frame => ({
  kind: 'HELLO',
  body: {
    protocol: 1,
    version: '3.0.0',
    wallMs: Date.now(),
    monotonicMs: 60_000,
    bootId: BOOT,
    uptimeS: 60,
    device: {
      name: 'nas-02',
      ip: '10.0.0.5',
      mac: '02:00:00:00:00:05',
      netmask: '255.255.255.0',
      os: 'Linux 6.1',
      sensor: 'linux-arm64',
    },
    settings: { tag: '', seq: 0 },
    wasRollback: false,
    serviceCount: 0,
    notStanding: [],
    spool: { spoolId: SPOOL, first: 1, next: 1 },
    ...change,
  },
})

export const heartbeat = (change: Partial<Body<'HEARTBEAT'>> = {}): Frame => ({
  kind: 'HEARTBEAT',
  body: {
    wallMs: Date.now(),
    monotonicMs: 61_000,
    bootId: BOOT,
    uptimeS: 61,
    settings: { tag: '', seq: 0 },
    wasRollback: false,
    serviceCount: 0,
    notStanding: [],
    spooled: 0,
    ...change,
  },
})

export const sshEvent = (seq: number, change: Partial<SpooledEvent> = {}): SpooledEvent => ({
  seq,
  at: Date.now(),
  mono: 60_000,
  boot: BOOT,
  logtype: '4002',
  instance: 'ssh',
  srcHost: '192.0.2.7',
  srcPort: 40_000,
  dstHost: '10.0.0.5',
  dstPort: 22,
  fields: { USERNAME: 'root', PASSWORD: `toor${seq}` },
  ...change,
})

export const batch = (events: SpooledEvent[], change: Partial<Body<'EVENT_BATCH'>> = {}): Frame => ({
  kind: 'EVENT_BATCH',
  body: {
    spoolId: SPOOL,
    first: events[0]?.seq ?? 1,
    wallMs: Date.now(),
    monotonicMs: 60_000,
    bootId: BOOT,
    events,
    ...change,
  },
})

type ConnectOptions = {
  readonly key?: KeyPair
  readonly clock?: { now(): number }
  /** The address that a proxy before the console names. */
  readonly from?: string
}

/** Connects, and says HELLO. */
export async function helloBird(
  linkUrl: string | undefined,
  said: Partial<Body<'HELLO'>> = {},
  options: ConnectOptions = {},
): Promise<TestBird> {
  const bird = await connectBird(linkUrl, options)
  bird.send(hello(said))
  return bird
}

/** A Bird that a code commissioned, on its link. */
export async function enrolledBird(
  { console }: Pick<TestConsole, 'console'>,
  said: Partial<Body<'HELLO'>> = {},
  options: ConnectOptions = {},
): Promise<TestBird & { readonly nodeId: string }> {
  const { secret } = parseEnrolment(await console.enrolLocalBird())
  const bird = await helloBird(console.linkUrl, { enrol: secret, ...said }, options)
  const { nodeId } = await bird.receives('COMMISSIONED')
  return { ...bird, nodeId }
}

/** Connects and completes the handshake; sends no frame yet. */
export async function connectBird(
  linkUrl: string | undefined,
  options: ConnectOptions = {},
): Promise<TestBird> {
  const key = options.key ?? newKey()
  const clock = options.clock ?? systemClock
  const noise = session({ role: 'initiator', staticKey: key, clock, random: systemRandom })
  const socket = new WebSocket(`${(linkUrl ?? '').replace('http', 'ws')}/bird/v1/link`, {
    perMessageDeflate: false,
    ...(options.from !== undefined && { headers: { 'X-Forwarded-For': options.from } }),
  })
  const received: Frame[] = []
  const waiting: (() => void)[] = []
  const wake = (): void => {
    for (const resume of waiting.splice(0)) resume()
  }
  let isClosed = false
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => {
      isClosed = true
      wake()
      resolve()
    })
  })
  const opened = new Promise<void>((resolve, reject) => {
    socket.once('error', reject)
    socket.once('open', () => socket.send(noise.begin()))
    socket.on('message', (data) => {
      const { reply, frame, problem, opened } = noise.receive(data as Buffer)
      if (reply) socket.send(reply)
      if (problem) reject(new Error(problem.message))
      if (opened) resolve()
      if (frame) received.push(frame)
      wake()
    })
  })
  await opened
  socket.on('error', () => undefined)
  onTestFinished(() => socket.terminate())

  return {
    key,
    consoleKey: noise.remoteKey() ?? Buffer.alloc(0),
    received,
    send(frame) {
      for (const message of noise.send(frame)) socket.send(message)
    },
    async receives<K extends FrameKind>(kind: K, nth = 1): Promise<Body<K>> {
      for (;;) {
        const found = received.filter((frame) => frame.kind === kind)[nth - 1]
        if (found) return found.body as Body<K>
        if (isClosed)
          throw new Error(
            `the link closed before ${kind}; received ${JSON.stringify(received).slice(0, 400)}`,
          )
        await new Promise<void>((resolve) => waiting.push(resolve))
      }
    },
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    closed,
    async close() {
      socket.close()
      await closed
    },
  }
}
