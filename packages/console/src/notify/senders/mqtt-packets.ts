// The packets of MQTT 3.1.1 (OASIS Standard, 29 October 2014) that a client needs who publishes, and subscribes to nothing.
//
//   byte      1                2 … 5             …
//           ┌──────┬───────┬──────────────────┬─────────────────┐
//           │ type │ flags │ remaining length │ header, payload │
//           └──────┴───────┴──────────────────┴─────────────────┘

export interface Publication {
  readonly topic: string
  readonly payload: string
  /** Whether the broker keeps it for those who come later; an empty payload takes back what it kept. */
  readonly retain: boolean
}

export interface Introduction {
  readonly clientId: string
  /** Empty for none; without a user there is no password (3.1.2.9). */
  readonly user: string
  readonly password: string
  readonly keepAliveS: number
  /** What the broker publishes when this client is gone without a word. */
  readonly will?: Publication | undefined
}

/** What a broker answers such a client. */
export type Answer =
  | { readonly type: 'connack'; readonly code: number }
  | { readonly type: 'puback'; readonly id: number }
  | { readonly type: 'pingresp' }

const LEVEL = 4
/** 3.1.2: flags of CONNECT. */
const FLAG = { user: 0x80, password: 0x40, willRetain: 0x20, willQos1: 0x08, will: 0x04, cleanSession: 0x02 }
/** 3.3.1: PUBLISH with QoS 1. */
const PUBLISH = { qos1: 0x32, retain: 0x01 }

export const PINGREQ = Buffer.of(0xc0, 0)
export const DISCONNECT = Buffer.of(0xe0, 0)

/** 3.1: nothing is kept of the session. */
export function connectPacket({ clientId, user, password, keepAliveS, will }: Introduction): Buffer {
  const account = [user, password].slice(0, user === '' ? 0 : password === '' ? 1 : 2)
  const flags =
    FLAG.cleanSession |
    (will ? FLAG.will | FLAG.willQos1 | (will.retain ? FLAG.willRetain : 0) : 0) |
    (account.length > 0 ? FLAG.user : 0) |
    (account.length > 1 ? FLAG.password : 0)
  const texts = [clientId, ...(will ? [will.topic, will.payload] : []), ...account]
  return packet(0x10, [text('MQTT'), Buffer.of(LEVEL, flags), number(keepAliveS), ...texts.map(text)])
}

/** 3.3, with QoS 1: the broker answers with its number, 1 to 65,535. */
export const publishPacket = ({ topic, payload, retain }: Publication, id: number): Buffer =>
  packet(PUBLISH.qos1 | (retain ? PUBLISH.retain : 0), [text(topic), number(id), Buffer.from(payload)])

/** The whole answers at the front, and what is left behind them; undefined for what no broker says to such a client. */
export function readAnswers(bytes: Buffer): { answers: readonly Answer[]; rest: Buffer } | undefined {
  const answers: Answer[] = []
  let at = 0
  while (at < bytes.length) {
    const length = LENGTHS.get(bytes.readUInt8(at))
    if (length === undefined || (at + 1 < bytes.length && bytes.readUInt8(at + 1) !== length))
      return undefined
    if (bytes.length < at + 2 + length) break
    answers.push(answerAt(bytes.subarray(at, at + 2 + length)))
    at += 2 + length
  }
  return { answers, rest: bytes.subarray(at) }
}

/** First byte to remaining length: CONNACK (3.2), PUBACK (3.4), PINGRESP (3.13). */
const LENGTHS: ReadonlyMap<number, number> = new Map([
  [0x20, 2],
  [0x40, 2],
  [0xd0, 0],
])

function answerAt(bytes: Buffer): Answer {
  if (bytes[0] === 0x20) return { type: 'connack', code: bytes.readUInt8(3) }
  return bytes[0] === 0x40 ? { type: 'puback', id: bytes.readUInt16BE(2) } : { type: 'pingresp' }
}

function packet(first: number, parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  return Buffer.concat([Buffer.of(first, ...remainingLength(body.length)), body])
}

/** 2.2.3: seven bits a byte, the lowest first. */
function remainingLength(length: number): number[] {
  const [low, rest] = [length & 0x7f, length >>> 7]
  return rest === 0 ? [low] : [low | 0x80, ...remainingLength(rest)]
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value)
  return bytes
}

/** 1.5.3: UTF-8 behind its length. */
function text(value: string): Buffer {
  const bytes = Buffer.from(value)
  return Buffer.concat([number(bytes.length), bytes])
}
