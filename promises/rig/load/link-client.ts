// A Bird's side of the link without a Bird: numbered events as fast as the console takes them, by the window of a real one.
import { randomBytes } from 'node:crypto'
import { WebSocket } from 'ws'
import {
  MAX_BATCH_EVENTS,
  PROTOCOL,
  type Body,
  type Frame,
  type SpooledEvent,
} from '@rookery/link/messages.ts'
import type { KeyPair } from '@rookery/link/noise/keys.ts'
import { session } from '@rookery/link/session.ts'

/** As the Bird's own pump: batches under way, and bytes of one. */
const WINDOW = 4
const BATCH_BYTES = 60_000
const HEARTBEAT_MS = 30_000

const BOOT = '0'.repeat(31) + '2'

export interface LinkClientOptions {
  readonly port: number
  readonly key: KeyPair
  /** Hex; stays the same over connections, as a spool does. */
  readonly spoolId: string
  /** The secret of an enrolment code, for the first connection. */
  readonly enrol?: string
  /** The event with this number, or undefined where the spool ends. */
  readonly eventOf: (seq: number) => SpooledEvent | undefined
  /** How wrong its wall clock is, milliseconds. */
  readonly clockOffMs?: number
  /** Fewer events in a batch than a frame could hold. */
  readonly batchEvents?: number
  /** How often it beats; as a real one by default. */
  readonly heartbeatMs?: number
  /** It has beaten. */
  readonly onBeat?: () => void
  /** All up to this number are committed. */
  readonly onAck?: (upto: number) => void
  /** The console says why it will not go on; the link ends after that. */
  readonly onRefused?: (message: string) => void
  /** It takes files: what it does with a frame of theirs, once it is registered. */
  readonly onFile?: (frame: FileFrame, send: (frame: Frame) => void) => void
}

export type FileFrame = Extract<Frame, { kind: 'FILE_OFFER' | 'FILE_CHUNK' }>

export interface LinkClient {
  /** What the console had of the spool when the link opened. */
  readonly resumedAfter: number
  /** Resolves with the last acknowledged number, when the link ends or everything is acknowledged. */
  readonly done: Promise<number>
  close(): void
}

/** An event that an intruder causes; `seq` gives it its number, `change` what differs. */
export const spooledEvent = (seq: number, change: Partial<SpooledEvent>): SpooledEvent => ({
  seq,
  at: Date.now(),
  mono: 60_000,
  boot: BOOT,
  logtype: '4002',
  instance: 'ssh',
  srcHost: '10.0.0.1',
  srcPort: 40_000,
  dstHost: '10.0.0.5',
  dstPort: 22,
  fields: { USERNAME: 'root', PASSWORD: `guess ${seq}` },
  ...change,
})

/** What such a Bird says of itself. */
const STATE = {
  uptimeS: 60,
  settings: { tag: '', seq: 0 },
  wasRollback: false,
  serviceCount: 0,
  notStanding: [],
}

const device = { name: 'bench', ip: '10.0.0.5', mac: '', netmask: '', os: 'Linux', sensor: 'linux-x64' }

/** Resolves once the console has registered it; rejects when the link breaks before. */
export function connectLink(options: LinkClientOptions): Promise<LinkClient> {
  const { port, key, spoolId, enrol, eventOf, onAck, clockOffMs = 0 } = options
  const noise = session({
    role: 'initiator',
    staticKey: key,
    clock: { now: () => Date.now() },
    random: { bytes: (length) => randomBytes(length) },
  })
  const socket = new WebSocket(`ws://127.0.0.1:${port}/bird/v1/link`, { perMessageDeflate: false })
  const clocks = () => ({ wallMs: Date.now() + clockOffMs, monotonicMs: 60_000, bootId: BOOT })
  let acked = 0
  let sent = 0
  let underWay: number[] = []
  let isRegistered = false
  const { promise: done, resolve: finish } = Promise.withResolvers<number>()
  const beat = setInterval(() => {
    if (!isRegistered || socket.readyState !== WebSocket.OPEN) return
    push(noise.send({ kind: 'HEARTBEAT', body: { ...clocks(), ...STATE, spooled: sent - acked } }))
    options.onBeat?.()
  }, options.heartbeatMs ?? HEARTBEAT_MS)
  const push = (messages: readonly Buffer[]): void =>
    messages.forEach((message) => socket.send(message, () => {}))

  function hello(): void {
    push(
      noise.send({
        kind: 'HELLO',
        body: {
          protocol: PROTOCOL,
          version: '3.0.0',
          ...clocks(),
          ...STATE,
          device,
          spool: { spoolId, first: 1, next: 1 },
          ...(enrol && { enrol }),
          ...(options.onFile && { files: 1, updates: 1 }),
        },
      }),
    )
  }

  function pump(): void {
    while (underWay.length < WINDOW) {
      const events = batchAfter(sent, eventOf, options.batchEvents ?? MAX_BATCH_EVENTS)
      if (events.length === 0) break
      const envelope = JSON.stringify({ spoolId, first: sent + 1, ...clocks() })
      sent += events.length
      underWay.push(sent)
      push(noise.sendJson('EVENT_BATCH', `${envelope.slice(0, -1)},"events":[${events.join(',')}]}`))
    }
    if (underWay.length === 0) finish(acked)
  }

  function hear(upto: number): void {
    acked = Math.max(acked, upto)
    underWay = underWay.filter((last) => last > upto)
    onAck?.(acked)
    pump()
  }

  return new Promise((resolve, reject) => {
    function registered(body: Body<'REGISTERED'>): void {
      isRegistered = true
      acked = body.acked.spoolId === spoolId ? body.acked.upto : 0
      sent = acked
      resolve({ resumedAfter: acked, done, close: () => socket.close() })
      pump()
    }
    socket.on('open', () => socket.send(noise.begin()))
    socket.on('message', (data) => {
      const { reply, opened, frame, problem } = noise.receive(data as Buffer)
      if (reply) push([reply])
      if (opened) hello()
      if (problem) socket.terminate()
      if (frame?.kind === 'REGISTERED' || frame?.kind === 'COMMISSIONED') registered(frame.body)
      else if (frame?.kind === 'ACK') hear(frame.body.upto)
      else if (frame?.kind === 'FILE_OFFER' || frame?.kind === 'FILE_CHUNK')
        options.onFile?.(frame, (answer) => push(noise.send(answer)))
      else if (frame?.kind === 'REFUSED') {
        options.onRefused?.(frame.body.message)
        reject(new Error(`${frame.body.reason}: ${frame.body.message}`))
      }
    })
    socket.on('error', reject)
    socket.on('close', () => {
      clearInterval(beat)
      finish(acked)
      reject(new Error('The link ended before the console had registered it.'))
    })
  })
}

/** The events behind number `after` as JSON texts, as many as a batch may hold. */
function batchAfter(after: number, eventOf: LinkClientOptions['eventOf'], mostEvents: number): string[] {
  const events: string[] = []
  let bytes = 0
  while (events.length < mostEvents && bytes < BATCH_BYTES) {
    const event = eventOf(after + events.length + 1)
    if (!event) break
    const text = JSON.stringify(event)
    bytes += text.length + 1
    // The first that would not fit stays for the next batch.
    if (bytes >= BATCH_BYTES && events.length > 0) break
    events.push(text)
  }
  return events
}
