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
  const address = server.address() as AddressInfo
  const frames: Frame[] = []
  const store = eventStore()
  let waiters: (() => void)[] = []
  let current: Link | undefined

  function wake(): void {
    const called = waiters
    waiters = []
    called.forEach((check) => check())
  }

  server.on('connection', (socket) => {
    const link = session({
      role: 'responder',
      staticKey: console.key,
      clock: { now: () => Date.now() },
      random: { bytes: (length) => randomBytes(length) },
    })
    const send = (frame: Frame): void => link.send(frame).forEach((message) => socket.send(message))
    socket.on('message', (message: Buffer) => {
      const { reply, opened, frame, problem } = link.receive(message)
      if (reply) socket.send(reply)
      if (opened) current = { socket, send }
      if (problem) socket.terminate()
      else if (frame) {
        frames.push(frame)
        answer(console, store, frame, send)
      }
      wake()
    })
    socket.on('close', () => {
      if (current?.socket === socket) current = undefined
      wake()
    })
  })

  const console: TestConsole = {
    url: `http://127.0.0.1:${address.port}`,
    port: address.port,
    key,
    frames,
    events: store.events,
    isCommissioned: false,
    enrol: undefined,
    commits: true,
    acks: true,
    answersHeartbeats: true,
    settings: undefined,
    commission() {
      console.isCommissioned = true
      console.send({ kind: 'COMMISSIONED', body: registeredBody(console, store) })
      if (console.settings) console.send(offerOf(console.settings))
    },
    offer(settings, tag = `tag-${(console.settings?.seq ?? 0) + 1}`) {
      console.settings = { tag, seq: (console.settings?.seq ?? 0) + 1, text: JSON.stringify(settings) }
      if (console.isCommissioned) console.send(offerOf(console.settings))
    },
    send: (frame) => current?.send(frame),
    terminate: () => current?.socket.terminate(),
    until: (predicate) =>
      new Promise((resolve) => {
        const check = (): unknown => (predicate() ? resolve() : waiters.push(check))
        check()
      }),
    async frame(kind, from = 0) {
      const find = () => frames.slice(from).find((frame) => frame.kind === kind)
      await console.until(() => find() !== undefined)
      return find()!.body as Body<typeof kind>
    },
    stop: () =>
      new Promise((resolve) => {
        server.clients.forEach((client) => client.terminate())
        server.close(() => resolve())
      }),
  }
  return console
}

interface Link {
  readonly socket: WebSocket
  readonly send: (frame: Frame) => void
}

/** Stores each event once, by its spool and number. */
function eventStore() {
  const lastSeq = new Map<string, number>()
  const events: StoredEvent[] = []
  return {
    events,
    /** The spool that the last HELLO named. */
    spoolId: '',
    upto: (spoolId: string): number => lastSeq.get(spoolId) ?? 0,
    store(spoolId: string, batch: Body<'EVENT_BATCH'>['events']): void {
      for (const { seq, logtype, fields } of batch) {
        if (seq <= (lastSeq.get(spoolId) ?? 0)) continue
        lastSeq.set(spoolId, seq)
        events.push({ spoolId, seq, logtype, fields })
      }
    },
  }
}
type EventStore = ReturnType<typeof eventStore>

const registeredBody = ({ settings }: TestConsole, { spoolId, upto }: EventStore): Body<'REGISTERED'> => ({
  nodeId: '0123456789abcdef',
  settingsTag: settings?.tag ?? null,
  serverMs: Date.now(),
  acked: { spoolId, upto: upto(spoolId) },
})

function offerOf({ tag, seq, text }: NonNullable<TestConsole['settings']>): Frame {
  const sha256 = createHash('sha256').update(text).digest('hex')
  return { kind: 'SETTINGS_OFFER', body: { tag, seq, sha256, size: Buffer.byteLength(text) } }
}

function answer(console: TestConsole, store: EventStore, frame: Frame, send: (frame: Frame) => void): void {
  switch (frame.kind) {
    case 'HELLO':
      store.spoolId = frame.body.spool.spoolId
      return answerHello(console, store, frame.body, send)
    case 'HEARTBEAT':
      if (console.answersHeartbeats) send({ kind: 'HEARTBEAT_ACK', body: { serverMs: Date.now() } })
      return
    case 'SETTINGS_FETCH': {
      const { tag, offset, length } = frame.body
      const bytes = Buffer.from(console.settings?.text ?? '').subarray(offset, offset + length)
      return send({ kind: 'SETTINGS_CHUNK', body: { tag, offset, bytes: bytes.toString('base64') } })
    }
    case 'EVENT_BATCH': {
      if (!console.commits) return
      const { spoolId, events } = frame.body
      store.store(spoolId, events)
      if (console.acks) send({ kind: 'ACK', body: { spoolId, upto: store.upto(spoolId) } })
      return
    }
    default:
      return
  }
}

function answerHello(
  console: TestConsole,
  store: EventStore,
  { enrol, settings }: Body<'HELLO'>,
  send: (frame: Frame) => void,
): void {
  if (console.isCommissioned) {
    send({ kind: 'REGISTERED', body: registeredBody(console, store) })
    if (console.settings && settings.tag !== console.settings.tag) send(offerOf(console.settings))
  } else if (enrol === undefined) send({ kind: 'PENDING', body: { serverMs: 1 } })
  else if (enrol === console.enrol) console.commission()
  else send({ kind: 'REFUSED', body: { reason: 'bad-enrolment', message: 'unknown code', retryAfterS: 0 } })
}
