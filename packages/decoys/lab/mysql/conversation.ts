// A database server without a socket, and what it says to a client.
import { testContext } from '../../test/session-context.ts'
import type { BirdSettings, DecoyEvent, Reply, SessionContext } from '../../src/session/session.ts'
import type { TlsServer } from '../../src/session/tls-server.ts'
import { openServer } from '../../src/services/mysql/service.ts'

export interface ServerPacket {
  readonly sequence: number
  readonly payload: Buffer
}

export interface Conversation {
  readonly greeting: ServerPacket
  readonly salt: Buffer
  /** Behind the greeting. */
  readonly packets: readonly ServerPacket[]
  readonly events: readonly DecoyEvent[]
  readonly close: Reply['close']
  readonly tls: TlsServer | undefined
  readonly server: ReturnType<typeof openServer>
  /** Events at the end of the connection. */
  readonly atEnd: () => readonly DecoyEvent[]
  /** The reply to `connect_timeout`. */
  readonly silence: () => Reply | undefined
  /** The reply to the end of the client's side. */
  readonly end: () => Reply | undefined
}

/** Made of the salt that counts, that of a switch if there was one, and of the last packet. */
type Segment = string | ((salt: Buffer, lastPayload: Buffer) => string)

/** What becomes of these segments; a request for TLS counts as answered. */
export async function converse(
  version: string,
  segments: readonly Segment[] = [],
  {
    context = {},
    settings = {},
    server = openServer({ 'dbsrv_b.version': version, ...settings }),
  }: {
    readonly context?: Partial<SessionContext>
    readonly settings?: BirdSettings
    readonly server?: ReturnType<typeof openServer>
  } = {},
): Promise<Conversation> {
  const session = server.startSession(testContext(context))
  const [greeting] = packetsOf([session.open()])
  const salt = saltOf(greeting!.payload)
  const replies: Reply[] = []
  for (const segment of segments) {
    const packets = packetsOf(replies)
    const switched = packets.find(({ payload }) => payload[0] === 0xfe)
    const current = switched ? switched.payload.subarray(-21, -1) : salt
    const text = typeof segment === 'string' ? segment : segment(current, packets.at(-1)!.payload)
    for (let next = session.receive(Buffer.from(text, 'latin1')); ; next = session.resume()) {
      for (const reply of next) {
        replies.push(reply)
        if (reply.later) replies.push(await reply.later())
        if (reply.tls) session.secured()
      }
      if (!session.hasMore) break
    }
  }
  for (const { error } of replies)
    if (error !== undefined) throw new Error('the session threw', { cause: error })
  return {
    greeting: greeting!,
    salt,
    packets: packetsOf(replies),
    events: replies.flatMap(({ events = [] }) => events),
    close: replies.at(-1)?.close,
    tls: replies.flatMap(({ tls }) => (tls && tls !== 'off' ? [tls] : []))[0],
    server,
    atEnd: () => session.closed(),
    silence: () => session.idle(),
    end: () => session.ended(),
  }
}

function packetsOf(replies: readonly Reply[]): ServerPacket[] {
  const bytes = Buffer.concat(replies.map(({ send = '' }) => Buffer.from(send)))
  const packets: ServerPacket[] = []
  for (let at = 0; at < bytes.length;) {
    const end = at + 4 + bytes.readUIntLE(at, 3)
    packets.push({ sequence: bytes[at + 3]!, payload: bytes.subarray(at + 4, end) })
    at = end
  }
  return packets
}

/** Two parts of the greeting, behind its banner. */
function saltOf(greeting: Buffer): Buffer {
  const first = greeting.indexOf(0) + 5
  return Buffer.concat([greeting.subarray(first, first + 8), greeting.subarray(first + 27, first + 39)])
}
