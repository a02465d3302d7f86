// A console in memory: the responder's side of the link over a real WebSocket. It stores each event once, by its number.
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { WebSocketServer, type WebSocket } from 'ws'
import type { Body, Frame, FrameKind } from '@rookery/link/messages.ts'
import { keyPair, type KeyPair } from '@rookery/link/noise/keys.ts'
import { session } from '@rookery/link/session.ts'

export interface StoredEvent {
  spoolId: string
  seq: number
  logtype: string
  fields: Record<string, unknown>
}

export interface TestConsole {
  readonly url: string
  readonly port: number
  readonly key: KeyPair
  readonly frames: Frame[]
  /** Committed events, in the order of their commit. */
  readonly events: StoredEvent[]
  isCommissioned: boolean
  /** The enrolment secret, hex: a Bird that sends it is commissioned at once. */
  enrol: string | undefined
  /** Whether batches are committed, and whether commits are acknowledged. */
  commits: boolean
  acks: boolean
  answersHeartbeats: boolean
  settings: { tag: string; seq: number; text: string } | undefined
  commission(): void
  offer(settings: object, tag?: string): void
  send(frame: Frame): void
  /** Terminates the Bird's connection. */
  terminate(): void
  /** Resolves with the first frame of that kind, after the first `from` frames. */
  frame<K extends FrameKind>(kind: K, from?: number): Promise<Body<K>>
  until(predicate: () => boolean): Promise<void>
  stop(): Promise<void>
}

export async function testConsole(port = 0, key = keyPair(randomBytes(32))): Promise<TestConsole> {
  const server = new WebSocketServer({ port, host: '127.0.0.1', path: '/bird/v1/link' })
  await once(server, 'listening')
  const frames: Frame[] = []
  const events: StoredEvent[] = []
  const lastSeq = new Map<string, number>()
  let spoolId = ''
  let waiters: (() => void)[] = []
  let current: { socket: WebSocket; send: (frame: Frame) => void } | undefined
  const nodeId = '0123456789abcdef'

  const registered = () => ({
    nodeId,
    settingsTag: self.settings?.tag ?? null,
    serverMs: Date.now(),
    acked: { spoolId, upto: lastSeq.get(spoolId) ?? 0 },
  })
  function offerNow(): void {
    if (!self.settings) return
    const { tag, seq, text } = self.settings
    const sha256 = createHash('sha256').update(text).digest('hex')
    current?.send({ kind: 'SETTINGS_OFFER', body: { tag, seq, sha256, size: Buffer.byteLength(text) } })
  }

  function handle(frame: Frame, send: (frame: Frame) => void): void {
    frames.push(frame)
    if (frame.kind === 'HELLO') {
      spoolId = frame.body.spool.spoolId
      if (self.isCommissioned) {
        send({ kind: 'REGISTERED', body: registered() })
        if (frame.body.settings.tag !== self.settings?.tag) offerNow()
      } else if (frame.body.enrol === undefined) send({ kind: 'PENDING', body: { serverMs: 1 } })
      else if (frame.body.enrol === self.enrol) self.commission()
      else
        send({ kind: 'REFUSED', body: { reason: 'bad-enrolment', message: 'unknown code', retryAfterS: 0 } })
    } else if (frame.kind === 'HEARTBEAT' && self.answersHeartbeats) {
      send({ kind: 'HEARTBEAT_ACK', body: { serverMs: Date.now() } })
    } else if (frame.kind === 'SETTINGS_FETCH' && self.settings) {
      const { tag, offset, length } = frame.body
      const bytes = Buffer.from(self.settings.text)
        .subarray(offset, offset + length)
        .toString('base64')
      send({ kind: 'SETTINGS_CHUNK', body: { tag, offset, bytes } })
    } else if (frame.kind === 'EVENT_BATCH' && self.commits) {
      const { spoolId: id } = frame.body
      for (const { seq, logtype, fields } of frame.body.events) {
        if (seq <= (lastSeq.get(id) ?? 0)) continue
        lastSeq.set(id, seq)
        events.push({ spoolId: id, seq, logtype, fields })
      }
      if (self.acks) send({ kind: 'ACK', body: { spoolId: id, upto: lastSeq.get(id)! } })
    }
  }
  function wake(): void {
    const called = waiters
    waiters = []
    called.forEach((check) => check())
  }

  server.on('connection', (socket) => {
    const link = session({
      role: 'responder',
      staticKey: self.key,
      clock: { now: () => Date.now() },
      random: { bytes: (length) => randomBytes(length) },
    })
    const send = (frame: Frame): void => link.send(frame).forEach((message) => socket.send(message))
    socket.on('message', (message: Buffer) => {
      const { reply, opened, frame, problem } = link.receive(message)
      if (reply) socket.send(reply)
      if (opened) current = { socket, send }
      if (problem) socket.terminate()
      else if (frame) handle(frame, send)
      wake()
    })
    socket.on('close', () => {
      if (current?.socket === socket) current = undefined
      wake()
    })
  })

  const self: TestConsole = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    port: (server.address() as AddressInfo).port,
    key,
    frames,
    events,
    isCommissioned: false,
    enrol: undefined,
    commits: true,
    acks: true,
    answersHeartbeats: true,
    settings: undefined,
    commission() {
      self.isCommissioned = true
      current?.send({ kind: 'COMMISSIONED', body: registered() })
      offerNow()
    },
    offer(settings, tag = `tag-${(self.settings?.seq ?? 0) + 1}`) {
      self.settings = { tag, seq: (self.settings?.seq ?? 0) + 1, text: JSON.stringify(settings) }
      if (self.isCommissioned) offerNow()
    },
    send: (frame) => current?.send(frame),
    terminate: () => current?.socket.terminate(),
    until: (predicate) =>
      new Promise((resolve) => {
        const check = (): void => (predicate() ? resolve() : void waiters.push(check))
        check()
      }),
    async frame(kind, from = 0) {
      const find = () => frames.slice(from).find((frame) => frame.kind === kind)
      await self.until(() => find() !== undefined)
      return find()!.body as Body<typeof kind>
    },
    stop: () =>
      new Promise((resolve) => {
        server.clients.forEach((client) => client.terminate())
        server.close(() => resolve())
      }),
  }
  return self
}
